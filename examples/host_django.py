"""The to-do list of examples/todo_view.py inside a Django product, under a strict policy.

A project of its own would have these settings in settings.py, the views in views.py, and the last line in asgi.py.

    uvicorn examples.host_django:app        then open http://localhost:8000
"""

import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import django
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.decorators import async_only_middleware

from cloche.host import Host
from examples.todo_view import server as todo

HERE = Path(__file__).parent
PAGE = (HERE / "host_page.html").read_text("utf-8")

POLICY = "default-src 'self'; frame-src http://*.localhost:*; frame-ancestors 'none'; base-uri 'none'"
"""The product's own. Views need one thing of it: frames from the sandbox."""

host = Host({"todo": todo}, secret=os.environ.get("SECRET", "only good for development"))


async def index(request: HttpRequest) -> HttpResponse:
    """The product's page, with a view in it."""
    call = await host.session("ann").start("todo.todos", {})
    return HttpResponse(PAGE.replace("<!-- view -->", call.embed()))


async def style(request: HttpRequest) -> HttpResponse:
    """How the product looks."""
    return HttpResponse((HERE / "host_page.css").read_text("utf-8"), content_type="text/css")


@async_only_middleware
def security_headers(
    get_response: Callable[[HttpRequest], Awaitable[HttpResponse]],
) -> Callable[[HttpRequest], Awaitable[HttpResponse]]:
    """On every answer of the product."""

    async def answer(request: HttpRequest) -> HttpResponse:
        response = await get_response(request)
        response.headers["Content-Security-Policy"] = POLICY
        return response

    return answer


urlpatterns = [path("", index), path("style.css", style)]

if not settings.configured:
    settings.configure(
        ALLOWED_HOSTS=["localhost", "127.0.0.1"],
        MIDDLEWARE=[
            f"{__name__}.security_headers",
            "django.middleware.security.SecurityMiddleware",
            "django.middleware.common.CommonMiddleware",
            "django.middleware.clickjacking.XFrameOptionsMiddleware",
        ],
        ROOT_URLCONF=__name__,
        SECRET_KEY=os.environ.get("SECRET", "only good for development"),
        USE_TZ=True,
    )
    django.setup()

app = host.wrap(get_asgi_application())
