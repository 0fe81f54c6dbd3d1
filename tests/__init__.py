"""The tests; also run as programs of their own, for example `python -m tests.attacks`."""

from tests.support.steady_driver import keep_drivers_running

keep_drivers_running()
