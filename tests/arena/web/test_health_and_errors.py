"""/health/ and the error pages."""

import json

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client, RequestFactory
from django.urls import path

from arena.errors import Conflict, NotAllowed, NotFound, QuotaExceeded
from arena.urls import urlpatterns as all_of_the_arena
from arena.web.views import errors
from tests.arena.factories import host_make
from tests.arena.web.factories import person

pytestmark = pytest.mark.django_db

handler400 = errors.bad_request
handler403 = errors.forbidden
handler404 = errors.not_found
handler500 = errors.server_error


def raising(error: Exception):
    def view(request):
        raise error

    return view


urlpatterns = [
    *all_of_the_arena,
    path("test/denied/", raising(PermissionDenied("Only organisers."))),
    path("test/not-allowed/", raising(NotAllowed("The owl is not yours."))),
    path("test/not-found/", raising(NotFound("There is no owl."))),
    path("test/conflict/", raising(Conflict("The owl sleeps."))),
    path("test/quota/", raising(QuotaExceeded("Enough owls for today."))),
    path("test/broken/", raising(RuntimeError("secret detail"))),
]


@pytest.mark.urls("tests.arena.web.test_health_and_errors")
@pytest.mark.parametrize(
    ("name", "status", "words"),
    [
        ("denied", 403, "Only organisers."),
        ("not-allowed", 403, "The owl is not yours."),
        ("not-found", 404, "There is no owl."),
        ("conflict", 409, "The owl sleeps."),
        ("quota", 429, "Enough owls for today."),
        ("broken", 500, "The arena made a mistake"),
    ],
)
def test_each_kind_of_error_has_a_page_with_the_words_of_who_refused(name: str, status: int, words: str) -> None:
    client = Client(raise_request_exception=False)
    answer = client.get(f"/test/{name}/")
    page = answer.content.decode()
    assert answer.status_code == status
    assert words in page
    assert "secret detail" not in page
    assert 'href="/"' in page


def test_an_unknown_address_leads_back_home(client: Client) -> None:
    answer = client.get("/nowhere/at/all/")
    assert answer.status_code == 404
    assert "There is nothing here" in answer.content.decode()


def test_who_tries_too_many_passwords_is_told_to_wait(client: Client) -> None:
    person("ann")
    for _ in range(30):
        answer = client.post("/accounts/login/", {"login": "ann", "password": "wrong"})
        if answer.status_code == 429:
            break
    page = answer.content.decode()
    assert "That was a lot at once" in page or "Too many failed login attempts" in page


def test_who_asks_for_too_many_password_mails_gets_a_page_that_says_wait(client: Client) -> None:
    answers = [client.post("/accounts/password/reset/", {"email": "ann@example.org"}) for _ in range(40)]
    assert answers[-1].status_code == 429
    assert "That was a lot at once" in answers[-1].content.decode()


def test_a_form_without_its_security_token_says_what_to_do() -> None:
    client = Client(enforce_csrf_checks=True)
    answer = client.post("/accounts/login/", {"login": "a", "password": "b"})
    assert answer.status_code == 403
    assert "reload the page and send it again" in answer.content.decode()


def test_the_page_for_a_broken_server_needs_no_database(django_assert_num_queries) -> None:
    with django_assert_num_queries(0):
        answer = errors.server_error(RequestFactory().get("/"))
    assert answer.status_code == 500


def test_health_is_ok_when_everything_answers(client: Client) -> None:
    host_make()
    answer = client.get("/health/")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ok", "checks": {"database": "ok", "redis": "ok", "workers": "ok"}}


def test_health_is_degraded_without_a_worker(client: Client) -> None:
    answer = client.get("/health/")
    assert answer.status_code == 200
    assert answer.json()["status"] == "degraded"


def test_health_says_which_host_has_no_sandbox(client: Client) -> None:
    host_make(reason="bubblewrap is not installed")
    assert "bubblewrap is not installed" in answer_text(client)


def test_health_fails_when_redis_is_gone_and_tells_no_address(client: Client, settings) -> None:
    settings.REDIS_URL = "redis://:secret@127.0.0.1:1/0"
    answer = client.get("/health/")
    assert answer.status_code == 503
    assert answer.json()["checks"]["redis"].startswith("failed")
    assert "127.0.0.1" not in answer.content.decode()
    assert "secret" not in answer.content.decode()


def answer_text(client: Client) -> str:
    return json.dumps(client.get("/health/").json())
