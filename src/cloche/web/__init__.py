"""JavaScript and JSON that browsers get, as written; a package only so that `importlib.resources` finds it."""
