"""`python -m cloche.testing.behaviour`: the server of the behaviour cases, over stdio."""

from cloche.testing.behaviour.server import reference_server

reference_server().run()
