"""What is worth a line in the workers' logs."""

from __future__ import annotations

import logging

from django.conf import settings


class WithoutHousekeeping(logging.Filter):
    """Drops Celery's lines on tasks that run every few seconds, so that builds and matches can be seen."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to keep the line: all but information on a task of the beat."""
        quiet = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
        name = record.args.get("name") if isinstance(record.args, dict) else None
        return record.levelno > logging.INFO or name not in quiet
