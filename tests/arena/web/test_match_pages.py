"""The list of matches, one match, challenges."""

import hashlib
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from arena.accounts.models import User
from arena.ladders.services import ladder_create
from arena.matches.logs import logs_drop
from arena.matches.models import Match
from tests.arena.factories import match_claim_it, match_make
from tests.arena.web.factories import REASON, SECRET_LINE, bots, ladder_match, person, played_match

pytestmark = pytest.mark.django_db


def shown(answer) -> list[int]:
    return [match.pk for match in answer.context["page"].rows]


def test_matches_are_filtered_by_each_field(client: Client) -> None:
    ladder = ladder_create(preset="podkidnoy", seats=2, name="Duels")
    fox, owl, hare = bots("fox", "owl", "hare")
    rated = ladder_match(ladder, [fox, owl])
    friendly = played_match([owl, hare], preset="perevodnoy")
    queued = match_make([fox, hare])
    assert shown(client.get("/matches/")) == [queued.pk, friendly.pk, rated.pk]
    assert shown(client.get("/matches/?bot=fox")) == [queued.pk, rated.pk]
    assert shown(client.get("/matches/?kind=ladder")) == [rated.pk]
    assert shown(client.get("/matches/?state=queued")) == [queued.pk]
    assert shown(client.get("/matches/?preset=perevodnoy")) == [friendly.pk]
    assert shown(client.get(f"/matches/?ladder={ladder.slug}")) == [rated.pk]
    assert shown(client.get("/matches/?bot=owl&state=finished&preset=podkidnoy")) == [rated.pk]


def test_a_bot_that_does_not_exist_is_said_and_does_not_filter(client: Client) -> None:
    match = match_make(2)
    answer = client.get("/matches/?bot=nobody")
    assert shown(answer) == [match.pk]
    assert "There is no bot named “nobody”" in answer.content.decode()


@pytest.mark.parametrize(
    "query", ["kind=x", "state=%00", "before=abc", "before=99999999999999999999", "after=-1", "bot=%F0"]
)
def test_a_nonsense_query_still_shows_a_page(client: Client, query: str) -> None:
    assert client.get(f"/matches/?{query}").status_code == 200


def test_pages_go_back_and_forth_over_all_matches_once(client: Client) -> None:
    pair = bots("fox", "owl")
    made = [match_make(pair).pk for _ in range(65)]
    seen, query = [], ""
    while query is not None:
        answer = client.get(f"/matches/{query}")
        seen += shown(answer)
        query, last = answer.context["page"].older or None, answer
    assert seen == made[::-1]
    back = client.get(f"/matches/{last.context['page'].newer}")
    assert shown(back) == made[::-1][30:60]
    assert client.get(f"/matches/{back.context['page'].newer}").context["page"].newer == ""


def test_the_list_costs_the_same_queries_for_one_match_and_for_thirty(
    client: Client, django_assert_max_num_queries
) -> None:
    pair = bots("fox", "owl")
    for _ in range(31):
        match_make(pair)
    with django_assert_max_num_queries(4):
        client.get("/matches/")


def test_stderr_and_offending_lines_are_for_the_owner_only(client: Client, ann: User, ann_client: Client) -> None:
    match = played_match(bots("fox", owner=ann) + bots("owl"), fault_in=0)
    fault = match.fault_set.get()
    guilty = fault.participant.version.bot
    owner, other = Client(), Client()
    owner.force_login(guilty.owner)
    other.force_login(person("ben"))
    for reader in (client, other, owner):
        assert REASON.split(":")[1] in reader.get(f"/matches/{match.pk}/").content.decode()
    for reader, sees in ((client, False), (other, False), (owner, True)):
        assert (SECRET_LINE in reader.get(f"/matches/{match.pk}/").content.decode()) is sees
    page = ann_client.get(f"/matches/{match.pk}/").content.decode()
    assert "stderr of participant 0" in page
    assert "stderr of participant 1" not in page
    assert "You and the arena's staff can read it." in page
    judge = Client()
    judge.force_login(person("judge", is_staff=True))
    page = judge.get(f"/matches/{match.pk}/").content.decode()
    assert "stderr of participant 0" in page
    assert "stderr of participant 1" in page
    assert "stderr of" not in client.get(f"/matches/{match.pk}/").content.decode()


def test_the_commitment_is_there_at_once_and_the_seed_only_at_the_end(client: Client) -> None:
    waiting = match_make(2)
    page = client.get(f"/matches/{waiting.pk}/").content.decode()
    assert waiting.commitment in page
    assert bytes(waiting.seed).hex() not in page
    done = played_match(bots("fox", "owl"))
    page = client.get(f"/matches/{done.pk}/")
    seed = page.context["match"].revealed_seed
    assert seed in page.content.decode()
    assert hashlib.sha256(bytes.fromhex(seed)).hexdigest() == done.commitment


def test_every_deal_is_linked_by_set_and_rotation_with_its_durak(client: Client) -> None:
    match = played_match(bots("fox", "owl", "hare"), sets=2)
    answer = client.get(f"/matches/{match.pk}/")
    sets = answer.context["sets"]
    assert [len(cells) for _, cells in sets] == [3, 3]
    for deal in match.deals.all():
        assert f'href="/matches/{match.pk}/deals/{deal.index}/"' in answer.content.decode()


def test_a_running_match_shows_its_progress_and_follows_it(client: Client) -> None:
    match = match_make(2)
    attempt = match_claim_it(match)
    attempt.deals_done = 1
    attempt.save()
    page = client.get(f"/matches/{match.pk}/").content.decode()
    assert f'sse-connect="/matches/{match.pk}/live/"' in page
    assert "1 of 2 deals" in page


def test_a_match_page_costs_few_queries(client: Client, django_assert_max_num_queries) -> None:
    match = played_match(bots("fox", "owl", "hare"), sets=3, fault_in=1)
    with django_assert_max_num_queries(10):
        client.get(f"/matches/{match.pk}/")


def test_a_challenge_is_made_from_its_form(ann_client: Client, ann: User) -> None:
    bots("fox", owner=ann)
    bots("owl", "hare")
    answer = ann_client.post(
        "/matches/new/", {"own": "fox", "opponents": "owl, hare", "preset": "perevodnoy", "sets": 2}
    )
    match = Match.objects.get()
    assert answer["Location"] == f"/matches/{match.pk}/"
    assert [p.version.bot.slug for p in match.participants.all()] == ["fox", "owl", "hare"]
    assert (match.kind, match.preset, match.sets) == ("challenge", "perevodnoy", 2)


@pytest.mark.parametrize(
    ("opponents", "words"),
    [("nobody", "There is no bot named"), (", ,", "one to five"), ("a,b,c,d,e,f", "one to five")],
)
def test_bad_opponents_are_refused_at_their_field(ann_client: Client, ann: User, opponents: str, words: str) -> None:
    bots("fox", owner=ann)
    answer = ann_client.post("/matches/new/", {"own": "fox", "opponents": opponents, "preset": "podkidnoy", "sets": 1})
    assert answer.status_code == 400
    assert words in answer.context["form"].errors["opponents"][0]


def test_only_ones_own_bot_can_challenge(ann_client: Client, ann: User) -> None:
    bots("fox", owner=ann)
    bots("owl", "hare")
    answer = ann_client.post("/matches/new/", {"own": "owl", "opponents": "hare", "preset": "podkidnoy", "sets": 1})
    assert "own" in answer.context["form"].errors
    assert not Match.objects.exists()


def test_who_asked_for_a_match_may_call_it_off_with_a_reason_and_nobody_else(ann_client: Client, ann: User) -> None:
    match = match_make(bots("fox", owner=ann) + bots("owl"), created_by=ann)
    page, cancel = f"/matches/{match.pk}/", f"/matches/{match.pk}/cancel/"
    other = Client()
    other.force_login(person("ben"))
    assert cancel not in other.get(page).content.decode()
    assert other.get(cancel).status_code == 403
    assert other.post(cancel, {"reason": "mine"}).status_code == 403
    assert Client().post(cancel, {"reason": "mine"}).status_code == 302
    assert cancel in ann_client.get(page).content.decode()
    assert ann_client.get(cancel).status_code == 200
    assert ann_client.post(cancel, {"reason": " "}).status_code == 400
    match.refresh_from_db()
    assert match.state == "queued"
    assert ann_client.post(cancel, {"reason": "the wrong bot"}).status_code == 302
    match.refresh_from_db()
    assert (match.state, match.reason) == ("cancelled", "ann: the wrong bot")
    assert "ann: the wrong bot" in ann_client.get(page).content.decode()
    assert cancel not in ann_client.get(page).content.decode()
    assert ann_client.get(cancel).status_code == 409


@pytest.mark.parametrize("running", [False, True])
@pytest.mark.parametrize("kind", ["ladder", "challenge", "validation"])
def test_the_staff_may_call_off_any_match_that_has_not_ended(client: Client, kind: str, running: bool) -> None:
    match = match_make(bots("fox", "owl"), kind=kind)
    if running:
        match_claim_it(match)
    client.force_login(person("judge", is_staff=True))
    assert f"/matches/{match.pk}/cancel/" in client.get(f"/matches/{match.pk}/").content.decode()
    assert client.post(f"/matches/{match.pk}/cancel/", {"reason": "a broken host"}).status_code == 302
    match.refresh_from_db()
    assert (match.state, match.reason) == ("cancelled", "judge: a broken host")


def test_a_ladder_match_is_called_off_by_nobody_but_the_staff(ann_client: Client, ann: User) -> None:
    match = match_make(bots("fox", owner=ann) + bots("owl"), kind="ladder", created_by=ann)
    assert "cancel/" not in ann_client.get(f"/matches/{match.pk}/").content.decode()
    assert ann_client.post(f"/matches/{match.pk}/cancel/", {"reason": "I lose"}).status_code == 403


def test_which_worker_played_is_for_the_staff_only(client: Client, ann_client: Client) -> None:
    match = match_make(2)
    match_claim_it(match, worker="box.internal:7/8")
    staff = Client()
    staff.force_login(person("root", is_staff=True))
    for reader, sees in ((client, False), (ann_client, False), (staff, True)):
        page = reader.get(f"/matches/{match.pk}/").content.decode()
        assert "Attempt 1" in page
        assert ("box.internal" in page) is sees


def test_who_could_read_logs_is_told_that_they_were_dropped_and_nobody_else(
    client: Client, ann: User, ann_client: Client, settings
) -> None:
    settings.LOGS_KEPT_DAYS = 30
    match = played_match(bots("fox", owner=ann) + bots("owl"), fault_in=0)
    Match.objects.filter(pk=match.pk).update(finished_at=timezone.now() - timedelta(days=31))
    words = "Logs are kept for 30 days"
    assert words not in ann_client.get(f"/matches/{match.pk}/").content.decode()
    logs_drop()
    assert words in ann_client.get(f"/matches/{match.pk}/").content.decode()
    assert words not in client.get(f"/matches/{match.pk}/").content.decode()
