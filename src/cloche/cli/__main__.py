"""`python -m cloche.cli` is `cloche`."""

from cloche.cli import main

main()
