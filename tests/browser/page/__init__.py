"""Python servers inside the tab: bundled, started in a worker or a frame, stopped when they are stuck."""
