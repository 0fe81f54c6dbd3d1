"""Fewer points that look the same: of each column of pixels the first, the lowest, the highest and the last."""

from __future__ import annotations

from collections.abc import Sequence

Point = tuple[float, float, int]
"""Place from the left and from below, 0 to 1, and the number of the row."""

COLUMNS = 400
"""Parts that a line is cut into. A line of up to four times as many points is drawn as it is."""


def thinned(points: Sequence[Point], columns: int = COLUMNS) -> list[Point]:
    """Points from left to right, at most four for each of the columns. None is made up: all are points of the data."""
    if len(points) <= 4 * columns:
        return list(points)
    kept: list[Point] = []
    start = 0
    while start < len(points):
        column = int(points[start][0] * columns)
        end = start + 1
        while end < len(points) and int(points[end][0] * columns) == column:
            end += 1
        part = points[start:end]
        extremes = {0, len(part) - 1}
        extremes.add(min(range(len(part)), key=lambda at: part[at][1]))
        extremes.add(max(range(len(part)), key=lambda at: part[at][1]))
        kept += [part[at] for at in sorted(extremes)]
        start = end
    return kept


def distinct(points: Sequence[Point], columns: int = 500, rows: int = 250) -> list[Point]:
    """Points without those that another one hides: one for each spot of a raster."""
    if len(points) <= 2_000:
        return list(points)
    spots = {(int(x * columns), int(y * rows)): (x, y, number) for x, y, number in points}
    return list(spots.values())
