"""What the browser gets, as written: JavaScript, HTML and data, read with `importlib.resources`."""
