"""The host in browsers that are not Chromium: `make test-engines`."""
