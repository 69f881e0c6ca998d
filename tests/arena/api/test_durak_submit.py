"""The author's command against the real interface."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.accounts.services import token_create
from arena.bots.models import BotVersion
from arena.bots.services import version_validated
from bots_sdk.cli import main
from sandbox.bundles import Bundle
from tests.arena.factories import host_make, user_make

pytestmark = pytest.mark.django_db(transaction=True)


def durak(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as left:
        main(list(arguments))
    captured = capsys.readouterr()
    return int(left.value.code or 0), captured.out, captured.err


@pytest.fixture
def mybot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, live_server, capsys: pytest.CaptureFixture[str]) -> str:
    monkeypatch.chdir(tmp_path)
    host_make()
    monkeypatch.setenv("DURAK_URL", live_server.url)
    _, text = token_create(user=user_make("author"), name="laptop")
    monkeypatch.setenv("DURAK_TOKEN", text)
    assert durak(capsys, "new", "mybot")[0] == 0
    return "mybot"


def test_a_new_bot_is_made_and_its_folder_uploaded(mybot: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = durak(capsys, "submit", mybot, "--wait", "0", "--json")
    assert code == 0, err
    version = BotVersion.objects.get()
    assert (version.bot.slug, version.bot.owner.username, version.number) == ("mybot", "author", 1)
    assert version.sha256 == Bundle.from_folder(Path(mybot)).sha256 == json.loads(out)["sha256"]


def test_the_same_folder_again_is_the_same_version(mybot: str, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        assert durak(capsys, "submit", mybot, "--wait", "0")[0] == 0
    assert BotVersion.objects.count() == 1


def test_the_reason_of_a_failure_reaches_the_author(mybot: str, capsys: pytest.CaptureFixture[str]) -> None:
    durak(capsys, "submit", mybot, "--wait", "0")
    version = BotVersion.objects.get()
    BotVersion.objects.update(state=BotVersion.State.VALIDATING)
    version_validated(version_id=version.pk, failure=BotVersion.Failure.VALIDATION, reason="deal 0: it crashed")
    code, out, _ = durak(capsys, "submit", mybot)
    assert code == 1
    assert "mybot version 1 failed: deal 0: it crashed" in out


def test_somebody_elses_bot_cannot_be_uploaded_to(
    mybot: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    durak(capsys, "submit", mybot, "--wait", "0")
    _, text = token_create(user=user_make("rival"), name="laptop")
    monkeypatch.setenv("DURAK_TOKEN", text)
    code, out, err = durak(capsys, "submit", mybot, "--wait", "0")
    assert (code, out) == (1, "")
    assert "the arena refused it (403)" in err
    assert BotVersion.objects.count() == 1


def test_a_token_that_is_not_valid_is_told_so(
    mybot: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DURAK_TOKEN", "durak_nonsense")
    code, _, err = durak(capsys, "submit", mybot, "--wait", "0")
    assert code == 1
    assert "the token is not valid" in err
