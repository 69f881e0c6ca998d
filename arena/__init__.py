"""Durak Arena: people upload bots, the arena plays them against each other and keeps ladders."""

from arena.celery import app as celery_app

__all__ = ["celery_app"]
