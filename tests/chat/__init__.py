"""The chat without its page: async tests, which cannot share a process with the browser of tests/dev."""
