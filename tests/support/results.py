"""The lists of all papers' results, by the papers' tags."""

from __future__ import annotations

import results_000
import results_001
import results_002
import results_003
import results_004

RESULTS = {
    "000": results_000.RESULTS,
    "001": results_001.RESULTS,
    "002": results_002.RESULTS,
    "003": results_003.RESULTS,
    "004": results_004.RESULTS,
}
