"""For tests of servers, clients and transports: yours and ours."""
