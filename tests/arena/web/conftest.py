"""What all tests of pages need."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from arena.accounts.models import User
from tests.arena.web.factories import person


@pytest.fixture(autouse=True)
def _plain_static_files(settings) -> None:
    """Addresses of static files as they are in the source tree: hashed ones need `collectstatic`."""
    Path(settings.STATIC_ROOT).mkdir(exist_ok=True)
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }


@pytest.fixture
def ann(db) -> User:
    return person("ann")


@pytest.fixture
def ann_client(ann: User) -> Client:
    client = Client()
    client.force_login(ann)
    return client
