"""The two-phase protocol of servers by URL: what a page and the frame or popup in it say to each other, and when.

The outer page has the window, the inner page is in it. Which of the two is the MCP client is not decided here.
"""
