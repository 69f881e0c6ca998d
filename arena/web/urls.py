"""Addresses of the pages."""

from __future__ import annotations

from django.urls import path

from arena.web.views import account, bots, docs, health, home, ladders, live, matches, replay, rules

app_name = "web"
urlpatterns = [
    path("", home.home, name="home"),
    path("ladders/", ladders.ladders, name="ladders"),
    path("ladders/<slug:slug>/", ladders.ladder, name="ladder"),
    path("ladders/<slug:slug>/official/", ladders.official, name="official"),
    path("bots/", bots.bots, name="bots"),
    path("bots/new/", bots.bot_new, name="bot_new"),
    path("bots/<slug:slug>/", bots.bot, name="bot"),
    path("bots/<slug:slug>/edit/", bots.bot_edit, name="bot_edit"),
    path("bots/<slug:slug>/upload/", bots.upload, name="upload"),
    path("bots/<slug:slug>/versions/<int:number>/", bots.version, name="version"),
    path("bots/<slug:slug>/versions/<int:number>/archive.zip", bots.archive, name="archive"),
    path("bots/<slug:slug>/versions/<int:number>/retry/", bots.version_retry, name="version_retry"),
    path("matches/", matches.matches, name="matches"),
    path("matches/new/", matches.challenge, name="challenge"),
    path("matches/<int:match_id>/", matches.match, name="match"),
    path("matches/<int:match_id>/cancel/", matches.cancel, name="match_cancel"),
    path("matches/<int:match_id>/live/", live.live, name="live"),
    path("matches/<int:match_id>/deals/<int:index>/", replay.replay, name="replay"),
    path("matches/<int:match_id>/deals/<int:index>/replay.json", replay.replay_json, name="replay_json"),
    path("matches/<int:match_id>/deals/<int:index>/record.txt", replay.record, name="record"),
    path("me/", account.dashboard, name="dashboard"),
    path("me/tokens/", account.tokens, name="tokens"),
    path("me/tokens/<int:token_id>/revoke/", account.token_revoke, name="token_revoke"),
    path("rules/", rules.rules, name="rules"),
    path("rules/<slug:name>/", rules.preset, name="preset"),
    path("docs/", docs.docs, name="docs"),
    path("docs/packages/<slug:language>/", docs.packages, name="packages"),
    path("docs/<slug:name>/", docs.doc, name="doc"),
    path("health/", health.health, name="health"),
]
