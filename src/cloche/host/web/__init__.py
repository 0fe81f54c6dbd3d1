"""The host on the web: one ASGI wrapper around a product's app, the page's socket, and the sandbox's own origins."""
