"""Views that may make code of text, start workers and import `data:` modules: the network is as closed as before."""

from __future__ import annotations

from tests.attacks.attack import Attack
from tests.attacks.catalogue.exfiltration import OPEN_NETWORK, names_in

KIND = "relaxed views"

ATTACKS = [
    Attack(name=name, kind=KIND, case="W26", control=OPEN_NETWORK, script="relaxed", server="loose")
    for name in names_in("relaxed")
]
