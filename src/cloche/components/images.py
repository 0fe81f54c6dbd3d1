"""`image_gallery`: pictures side by side, and one at a time."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from cloche.components.component import component
from cloche.errors import ToolError, shorten
from cloche.views.html import Html, h, is_safe_url

MAX_IMAGES = 100
"""Pictures in one gallery."""


class Picture(msgspec.Struct, forbid_unknown_fields=True):
    """One picture."""

    src: str
    """Its address: https, or a data: URL of an image."""
    alt: str
    """What it shows, for people who do not see it."""
    caption: str = ""
    """What stands below it."""


def _drawn(hue: int, path: str) -> str:
    return (
        "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 120 90'%3E"
        f"%3Crect width='120' height='90' fill='hsl({hue} 45%25 82%25)'/%3E"
        f"%3Cpath d='{path}' fill='hsl({hue} 40%25 45%25)'/%3E%3C/svg%3E"
    )


EXAMPLE = [
    {"src": _drawn(210, "M0 90L35 35L60 65L85 25L120 90Z"), "alt": "Two blue peaks", "caption": "In the morning"},
    {"src": _drawn(140, "M0 90Q30 30 60 60T120 40V90Z"), "alt": "Green hills", "caption": "By noon"},
    {"src": _drawn(30, "M 60 15A30 30 0 1 1 59.9 15Z"), "alt": "An orange sun", "caption": "In the evening"},
]


def _summary(images: list[Picture], title: str) -> str:
    shown = "; ".join(one.alt for one in images[:5])
    return f"{len(images)} pictures are shown{f', {title}' if title else ''}: {shown}{'; …' if len(images) > 5 else ''}"


@component(
    category="media",
    tags=("image", "picture", "photo"),
    summary=_summary,
    examples=[{"title": "One day", "images": EXAMPLE}],
)
def image_gallery(images: Annotated[list[Picture], Meta(max_length=MAX_IMAGES)], title: str = "") -> Html:
    """Pictures side by side; a click shows one large.

    Args:
        images: The pictures. Those from other places need their origin in Components(csp=Csp(resources=[…])).
        title: What stands above them.
    """
    return h.div(
        h.strong(title, class_="cc-title") if title else None,
        h.ul(_picture(one) for one in images) if images else h.p("No pictures.", class_="cc-empty"),
        class_="cc cc-images",
        data_cc="images",
    )


def _picture(picture: Picture) -> Html:
    # A relative address leads nowhere in a view, which has no address of its own.
    if not picture.src.startswith(("https://", "data:")) or not is_safe_url(picture.src, element="img"):
        raise ToolError(
            f"{shorten(picture.src, 60)!r} is not an address of a picture: use https, or a data: URL of an image"
        )
    return h.li(
        h.button(
            h.img(src=picture.src, alt=picture.alt, loading="lazy", decoding="async"),
            type="button",
            aria_label=f"Enlarge: {picture.alt}",
        ),
        h.span(picture.caption) if picture.caption else None,
    )
