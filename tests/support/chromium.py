"""How tests launch Chromium."""

from __future__ import annotations

from cloche.testing.browser import launch_flags

FLAGS = launch_flags()
"""The flags with which the test plugin opens views, too."""

MICROPHONE = ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"]
"""A microphone that plays a tone, and a browser that gives it to every page whose policies allow it to ask."""
