"""Every attack, by class."""

from __future__ import annotations

from tests.attacks.attack import Attack
from tests.attacks.catalogue import (
    app_host,
    budgets,
    busy,
    consent,
    declarations,
    embedding,
    escape,
    exfiltration,
    floods,
    forgeries,
    identity,
    imitation,
    isolation,
    keyboard,
    lookups,
    messages,
    oddities,
    person,
    relaxed,
    requests_of_views,
    servers_that_ask,
    shadowing,
)

ATTACKS: list[Attack] = [
    *exfiltration.ATTACKS,
    *lookups.ATTACKS,
    *relaxed.ATTACKS,
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
    *identity.ATTACKS,
    *app_host.ATTACKS,
    *person.ATTACKS,
    *imitation.ATTACKS,
    *budgets.ATTACKS,
    *consent.ATTACKS,
    *keyboard.ATTACKS,
    *servers_that_ask.ATTACKS,
]
