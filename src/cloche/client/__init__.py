"""The client's role: asking a server, and answering what it asks back."""
