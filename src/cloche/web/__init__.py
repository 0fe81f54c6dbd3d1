"""JavaScript and JSON that the browser gets, as written. A Python package only so that `importlib.resources` finds it."""
