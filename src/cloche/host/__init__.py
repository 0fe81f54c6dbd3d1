"""The host: other people's views in your own product."""
