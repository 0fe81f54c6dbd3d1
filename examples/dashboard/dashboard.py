"""What the dashboard knows, as tools: for the page itself, and for the copilot beside it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from cloche import Server, ToolError

Status = Literal["on track", "at risk", "done"]
State = Literal["up", "slow", "down"]


@dataclass
class User:
    """Somebody who is signed in."""

    name: str
    role: str
    team: str
    email: str


@dataclass
class Project:
    """Something that somebody works on; `progress` is a percentage."""

    name: str
    status: Status
    progress: int
    due: str


@dataclass
class Service:
    """A part of the system, with the milliseconds of its last answers."""

    name: str
    state: State
    uptime: float
    latency: list[int] = field(default_factory=list)


@dataclass
class Health:
    """How the system is."""

    state: State
    services: list[Service]


@dataclass
class Day:
    """What the team finished on one day."""

    day: str
    tasks: int


@dataclass
class TeamStats:
    """How the team is doing this week."""

    team: str
    members: int
    finished: int
    reviews_waiting: int
    days: list[Day]


USERS = {
    "ada": User("Ada Park", "Engineering lead", "Platform", "ada@harbour.example"),
    "ben": User("Ben Okoro", "Designer", "Platform", "ben@harbour.example"),
}
PROJECTS = {
    "ada": [
        Project("Search that finds it", "at risk", 55, "28 Nov"),
        Project("Faster sign-in", "on track", 80, "12 Dec"),
        Project("Cheaper nights", "on track", 35, "19 Dec"),
        Project("Audit trail", "done", 100, "4 Nov"),
    ],
    "ben": [
        Project("New empty states", "on track", 60, "5 Dec"),
        Project("Dark mode", "done", 100, "1 Nov"),
    ],
}
SERVICES = [
    Service("Web", "up", 99.98, [42, 40, 44, 41, 39, 43, 40, 41]),
    Service("Search", "slow", 99.41, [120, 180, 240, 310, 420, 560, 610, 640]),
    Service("Billing", "up", 99.99, [64, 61, 66, 63, 62, 60, 65, 61]),
    Service("Mail", "up", 99.95, [88, 91, 86, 90, 84, 89, 87, 85]),
]
WEEK = [Day("Mon", 7), Day("Tue", 11), Day("Wed", 9), Day("Thu", 14), Day("Fri", 12), Day("Sat", 2), Day("Sun", 1)]
READS = {"readOnlyHint": True, "openWorldHint": False}


def system_health() -> Health:
    """All services, and the worst state among them."""
    states: list[State] = ["down", "slow", "up"]
    return Health(min((one.state for one in SERVICES), key=states.index), SERVICES)


def team_stats(user: str) -> TeamStats:
    """The week of somebody's team."""
    return TeamStats(USERS[user].team, 6, sum(day.tasks for day in WEEK), 3, WEEK)


def dashboard_of(user: str) -> Server:
    """One person's dashboard, as a server."""
    server = Server("dashboard", version="1.0")

    @server.tool(annotations=READS)
    def get_current_user() -> User:
        """Who is signed in: name, role, team and address."""
        return USERS[user]

    @server.tool(annotations=READS)
    def get_user_projects(status: Status | None = None) -> list[Project]:
        """The projects of whoever is signed in, of one status or all of them."""
        return [one for one in PROJECTS[user] if status in (None, one.status)]

    @server.tool(annotations=READS)
    def get_system_health() -> Health:
        """How each service is, and the worst of it."""
        return system_health()

    @server.tool(annotations=READS)
    def get_team_stats() -> TeamStats:
        """What the team finished this week, day by day, and what waits for a review."""
        return team_stats(user)

    @server.tool
    def restart_service(service: str) -> Service:
        """Restart a service. Its users wait meanwhile."""
        for one in SERVICES:
            if one.name.lower() == service.lower():
                one.state = "up"
                one.latency = [*one.latency[:4], 90, 48, 44, 43]
                return one
        raise ToolError(f"There is no service {service!r}: there are {', '.join(one.name for one in SERVICES)}")

    @server.tool(annotations=READS)
    def get_salaries() -> dict[str, int]:
        """What everybody earns: on the dashboard's server, and not in the copilot's scope."""
        return {"Ada Park": 98_000, "Ben Okoro": 91_000}

    return server
