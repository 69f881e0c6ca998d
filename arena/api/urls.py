"""The addresses under /api/v1/."""

from __future__ import annotations

from django.urls import path, re_path

from arena.api.views import accounts, bots, docs, ladders, matches, rules
from arena.api.views.base import UnknownView

app_name = "api"

urlpatterns = [
    path("me/", accounts.MeView.as_view(), name="me"),
    path("tokens/", accounts.TokensView.as_view(), name="tokens"),
    path("tokens/<int:token_id>/", accounts.TokenView.as_view(), name="token"),
    path("bots/", bots.BotsView.as_view(), name="bots"),
    path("bots/<slug:slug>/", bots.BotView.as_view(), name="bot"),
    path("bots/<slug:slug>/versions/", bots.VersionsView.as_view(), name="versions"),
    path("bots/<slug:slug>/versions/<int:number>/", bots.VersionView.as_view(), name="version"),
    path("bots/<slug:slug>/versions/<int:number>/archive/", bots.ArchiveView.as_view(), name="version-archive"),
    path("bots/<slug:slug>/versions/<int:number>/retry/", bots.VersionRetryView.as_view(), name="version-retry"),
    path("matches/", matches.MatchesView.as_view(), name="matches"),
    path("matches/<int:match_id>/", matches.MatchView.as_view(), name="match"),
    path("matches/<int:match_id>/cancel/", matches.MatchCancelView.as_view(), name="match-cancel"),
    path("matches/<int:match_id>/faults/", matches.FaultsView.as_view(), name="faults"),
    path("matches/<int:match_id>/logs/", matches.LogsView.as_view(), name="logs"),
    path("matches/<int:match_id>/deals/", matches.DealsView.as_view(), name="deals"),
    path("matches/<int:match_id>/deals/<int:index>/record/", matches.DealRecordView.as_view(), name="deal-record"),
    path("matches/<int:match_id>/deals/<int:index>/events/", matches.DealEventsView.as_view(), name="deal-events"),
    path("ladders/", ladders.LaddersView.as_view(), name="ladders"),
    path("ladders/<slug:slug>/", ladders.LadderView.as_view(), name="ladder"),
    path("ladders/<slug:slug>/standings/", ladders.StandingsView.as_view(), name="standings"),
    path("ladders/<slug:slug>/official/", ladders.OfficialView.as_view(), name="official"),
    path("ladders/<slug:slug>/history/", ladders.HistoryView.as_view(), name="history"),
    path("rulesets/", rules.RuleSetsView.as_view(), name="rulesets"),
    path("rulesets/<slug:name>/", rules.RuleSetView.as_view(), name="ruleset"),
    path("positions/", rules.PositionView.as_view(), name="positions"),
    path("schema/", docs.SchemaView.as_view(), name="schema"),
    path("docs/", docs.DocsView.as_view(), name="docs"),
    re_path(r"^(?P<path>.*)$", UnknownView.as_view()),
]
