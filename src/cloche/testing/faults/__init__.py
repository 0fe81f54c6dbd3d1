"""A connection that misbehaves on purpose, the same way each time.

::

    schedule = Schedule(seed=7, drop=0.02, close=0.01)
    transport = FaultyTransport(await StdioTransport.start(command), schedule)

Print the seed when a test fails: with it the same messages meet the same faults again.
"""

from cloche.testing.faults.schedule import KINDS, Direction, Fault, Kind, Schedule
from cloche.testing.faults.transport import FaultyTransport

__all__ = ["KINDS", "Direction", "Fault", "FaultyTransport", "Kind", "Schedule"]
