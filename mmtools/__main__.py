"""`python -m mmtools`."""

import sys

from mmtools.cli import main

if __name__ == "__main__":
    sys.exit(main())
