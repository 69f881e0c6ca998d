"""The published schema and its page."""

from __future__ import annotations

import re

import pytest
import yaml
from django.core.management import call_command
from django.test import Client
from django.urls import get_resolver
from drf_spectacular.validation import validate_schema

from tests.arena.api.conftest import schema

pytestmark = pytest.mark.django_db


def test_the_schema_is_valid_and_made_without_a_warning(tmp_path):
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(tmp_path / "schema.yaml"))


def test_the_schema_is_served_as_yaml_and_as_json():
    text = Client().get("/api/v1/schema/")
    assert text.status_code == 200
    served = yaml.safe_load(text.content)
    validate_schema(served)
    assert served["openapi"] == "3.1.0"
    assert Client().get("/api/v1/schema/?format=json").json()["paths"].keys() == served["paths"].keys()


def test_every_address_of_the_api_is_in_the_schema():
    from arena.api.urls import urlpatterns

    undocumented = {"schema/", "docs/", r"^(?P<path>.*)$"}
    routes = {str(pattern.pattern) for pattern in urlpatterns} - undocumented
    assert {"/api/v1/" + re.sub(r"<\w+:(\w+)>", r"{\1}", route) for route in routes} == set(schema()["paths"])
    assert get_resolver()


def test_every_operation_has_a_summary_a_tag_and_the_error_shape():
    for path, methods in schema()["paths"].items():
        for method, operation in methods.items():
            assert operation["summary"], (method, path)
            assert operation["tags"] != ["api"], (method, path)
            answer = operation["responses"]["default"]["content"]["application/json"]["schema"]
            assert answer == {"$ref": "#/components/schemas/Error"}


def test_every_list_is_paged_by_cursor():
    for path, methods in schema()["paths"].items():
        operation = methods.get("get")
        if operation is None or not operation["operationId"].endswith(("list", "standings", "official", "history")):
            continue
        assert {"cursor", "limit"} <= {parameter["name"] for parameter in operation["parameters"]}, path


def test_the_page_has_no_inline_script_or_style():
    answer = Client().get("/api/v1/docs/")
    assert answer.status_code == 200
    html = answer.content.decode()
    assert re.findall(r"<script(?![^>]*\bsrc=)", html) == []
    assert "<style" not in html
    assert " style=" not in html
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]


def test_without_javascript_the_page_lists_every_operation():
    html = Client().get("/api/v1/docs/").content.decode()
    for path, methods in schema()["paths"].items():
        assert path in html
        for operation in methods.values():
            assert operation["summary"].split("'")[0].split("`")[0] in html.replace("&#x27;", "'")


def test_the_pages_script_is_javascript():
    answer = Client().get("/api/v1/docs/?script=")
    assert answer.headers["Content-Type"].startswith("application/javascript")
    assert b"/api/v1/schema/" in answer.content


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_browser_shows_the_operations_and_blocks_nothing(live_server, page):
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"{live_server.url}/api/v1/docs/")
    page.wait_for_selector("#operations-bots-bots_list")
    page.click("#operations-bots-bots_list .opblock-summary-control")
    page.wait_for_selector("#operations-bots-bots_list .parameters")
    assert complaints == []
