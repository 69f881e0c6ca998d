"""Who is calling."""

from __future__ import annotations


def test_me_is_who_owns_the_token(owner, arena):
    arena.bot()
    assert owner.get("/api/v1/me/").json() == {"username": "owner", "is_staff": False, "bots": 1}


def test_without_a_token_there_is_no_me(anyone, db):
    answer = anyone.get("/api/v1/me/")
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="Durak Arena"'


def test_a_person_who_was_shut_out_is_nobody(owner, arena):
    arena.owner.is_active = False
    arena.owner.save()
    assert owner.get("/api/v1/me/").status_code == 401
