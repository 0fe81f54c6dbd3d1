"""How messages travel: stdio, HTTP, memory."""
