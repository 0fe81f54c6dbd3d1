"""Every attack, by class."""

from __future__ import annotations

from tests.attacks.attack import Attack
from tests.attacks.catalogue import escape, exfiltration, isolation, messages, oddities, requests_of_views

ATTACKS: list[Attack] = [
    *exfiltration.ATTACKS,
    *isolation.ATTACKS,
    *escape.ATTACKS,
    *messages.ATTACKS,
    *oddities.ATTACKS,
    *requests_of_views.ATTACKS,
]
