"""A Django site that offers the Python functions of examples/shop.py to the agents in its visitors' browsers.

A project of its own would have these settings in settings.py, the views in views.py, and the last line in asgi.py.

    uvicorn examples.agents_django:app        then open http://localhost:8000
"""

import os
import secrets
from pathlib import Path

import django
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.http import HttpRequest, HttpResponse
from django.urls import path

from cloche.host import Host
from examples.shop import server as shop

HERE = Path(__file__).parent
PAGE = (HERE / "shop.html").read_text("utf-8")
POLICY = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'"

host = Host({"shop": shop}, secret=os.environ.get("SECRET", "only good for development"), agent_tools=["shop.*"])


async def index(request: HttpRequest) -> HttpResponse:
    """The page. Who opens it for the first time becomes a visitor; a real site has sessions."""
    name = request.COOKIES.get("visitor", "")[:64] or secrets.token_urlsafe(16)
    tools = host.session(name).agent_tools_element()
    response = HttpResponse(PAGE.replace("<!-- tools -->", tools), headers={"Content-Security-Policy": POLICY})
    response.set_cookie("visitor", name, httponly=True, samesite="Strict")
    return response


async def style(request: HttpRequest) -> HttpResponse:
    """How the shop looks."""
    return HttpResponse((HERE / "host_page.css").read_text("utf-8"), content_type="text/css")


urlpatterns = [path("", index), path("style.css", style)]

if not settings.configured:
    settings.configure(
        ALLOWED_HOSTS=["localhost", "127.0.0.1"],
        MIDDLEWARE=[
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
