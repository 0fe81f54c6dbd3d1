"""`python -m cloche` is `cloche`."""

from cloche.cli import main

main()
