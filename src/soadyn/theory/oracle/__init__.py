"""The dense oracle: every operator as an explicit matrix, by `numpy.linalg` alone, and arms to try formulas on."""
