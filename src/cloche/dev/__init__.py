"""The playground: a page in which a server's tools are tried, and its views live in our real host and sandbox."""
