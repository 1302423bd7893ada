"""`python -m soadyn`."""

from soadyn.cli import main

if __name__ == "__main__":
    main()
