"""An ASGI app on uvicorn, with deadlines on what clients send and a stop that does not wait for them."""
