"""Every attack, by class."""

from __future__ import annotations

from tests.attacks.attack import Attack
from tests.attacks.catalogue import (
    busy,
    consent,
    declarations,
    embedding,
    escape,
    exfiltration,
    floods,
    forgeries,
    isolation,
    keyboard,
    messages,
    oddities,
    requests_of_views,
    shadowing,
)

ATTACKS: list[Attack] = [
    *exfiltration.ATTACKS,
    *isolation.ATTACKS,
    *escape.ATTACKS,
    *messages.ATTACKS,
    *oddities.ATTACKS,
    *floods.ATTACKS,
    *forgeries.ATTACKS,
    *declarations.ATTACKS,
    *shadowing.ATTACKS,
    *embedding.ATTACKS,
    *busy.ATTACKS,
    *requests_of_views.ATTACKS,
    *consent.ATTACKS,
    *keyboard.ATTACKS,
]
