"""`python -m cloche` is `cloche`."""

from cloche.cli import main

if __name__ == "__main__":  # a process that --reload starts imports this file, too
    main()
