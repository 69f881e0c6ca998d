"""The Celery application: what the beat sends exists, and the log shows what matters."""

from __future__ import annotations

import logging

from django.conf import settings

from arena.celery import app
from arena.logs import WithoutHousekeeping


def test_every_task_of_the_beat_is_known_to_the_workers_and_expires_before_the_next() -> None:
    app.loader.import_default_modules()
    for name, entry in settings.CELERY_BEAT_SCHEDULE.items():
        assert entry["task"] in app.tasks, name
        assert entry["options"]["expires"] <= entry["schedule"], name


def test_every_route_names_a_task_and_a_queue_that_exist() -> None:
    app.loader.import_default_modules()
    for task, route in settings.CELERY_TASK_ROUTES.items():
        assert task in app.tasks
        assert route["queue"] in settings.CELERY_TASK_QUEUES
    assert settings.CELERY_TASK_DEFAULT_QUEUE in settings.CELERY_TASK_QUEUES


def test_housekeeping_is_left_out_of_the_log_but_its_errors_and_the_matches_are_not() -> None:
    def kept(task: str, level: int = logging.INFO) -> bool:
        record = logging.LogRecord("celery.app.trace", level, "", 0, "Task %(name)s", ({"name": task},), None)
        return WithoutHousekeeping().filter(record)

    assert not kept("arena.matches.sweep")
    assert kept("arena.matches.sweep", logging.ERROR)
    assert kept("arena.matches.play")
