"""Rules pages and documents."""

import pytest
from django.test import Client

from arena.web.markdown import document, document_names, render
from bots_sdk.durak import RuleSet
from sandbox.runtimes import RUNTIMES

PRESETS = RuleSet.presets()


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_explained_with_all_its_options(client: Client, db, name: str) -> None:
    answer = client.get(f"/rules/{name}/")
    page = answer.content.decode()
    assert PRESETS[name].summary in page.replace("&#x27;", "'")
    options = answer.context["options"]
    assert {option["name"] for option in options} == set(PRESETS[name].to_dict()) - {"name", "summary"}
    assert any(option["differs"] for option in options) == (
        PRESETS[name].replace(name="a", summary="") != PRESETS["podkidnoy"].replace(name="a", summary="")
    )


@pytest.mark.parametrize("name", PRESETS)
def test_every_word_of_the_explanation_is_on_the_page(client: Client, db, name: str) -> None:
    answer = client.get(f"/rules/{name}/")
    shown = " ".join(f"{heading} {' '.join(paragraphs)}" for heading, paragraphs in answer.context["sections"])
    assert shown.split() == PRESETS[name].explain().split()


def test_an_unknown_preset_is_not_found(client: Client, db) -> None:
    assert client.get("/rules/poker/").status_code == 404


def test_every_document_is_listed_and_shown(client: Client, db) -> None:
    page = client.get("/docs/").content.decode()
    for name in document_names():
        assert f'href="/docs/{name}/"' in page
        assert document(name).title in client.get(f"/docs/{name}/").content.decode().replace("&#x27;", "'")


@pytest.mark.parametrize("name", ["nothing", "operating.md", "..", "../README"])
def test_what_is_no_document_is_not_found(client: Client, db, name: str) -> None:
    assert client.get(f"/docs/{name}/").status_code == 404


def test_raw_html_in_a_document_is_shown_as_text() -> None:
    html = render("x", "# T\n\n<script>alert(1)</script>\n\nA <b onclick=x>b</b>\n\n[l](javascript:alert(1))").html
    assert "<script" not in html
    assert "<b " not in html
    assert 'href="javascript' not in html


def test_headings_get_anchors_that_differ_and_a_table_of_contents() -> None:
    made = render("x", "# Title\n\nLead words.\n\n## Same\n\n### Deep `code`\n\n## Same\n")
    assert (made.title, made.lead) == ("Title", "Lead words.")
    assert [(h.level, h.anchor, h.text) for h in made.headings] == [
        (2, "same", "Same"),
        (3, "deep-code", "Deep code"),
        (2, "same-2", "Same"),
    ]
    assert '<h2 id="same-2">' in made.html


def test_links_between_documents_lead_to_their_pages() -> None:
    html = render("x", "[a](protocol.md) [b](./api.md#errors) [c](https://example.org/a.md)").html
    assert 'href="/docs/protocol/"' in html
    assert 'href="/docs/api/#errors"' in html
    assert 'href="https://example.org/a.md"' in html


@pytest.mark.parametrize("language", RUNTIMES)
def test_the_packages_of_every_language_are_published(client: Client, db, language: str) -> None:
    html = render("x", f"[list](../sandbox/images/{language}/packages.txt)").html
    assert f'href="/docs/packages/{language}/"' in html
    answer = client.get(f"/docs/packages/{language}/")
    assert answer["Content-Type"].startswith("text/plain")
    assert answer.content.strip()


def test_a_language_that_is_not_offered_has_no_list(client: Client, db) -> None:
    assert client.get("/docs/packages/cobol/").status_code == 404


def test_aligned_tables_need_no_inline_style() -> None:
    html = render("x", "| a | b |\n|---|--:|\n| 1 | 2 |\n").html
    assert "style=" not in html
    assert '<td class="right">2</td>' in html
