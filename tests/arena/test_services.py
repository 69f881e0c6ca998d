"""The embedded services themselves."""

import pytest
import redis
from django.conf import settings
from django.db import connection


@pytest.mark.django_db
def test_the_tests_run_on_a_real_postgresql() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version_num")
        assert int(cursor.fetchone()[0]) >= 150000


def test_the_tests_run_on_a_real_valkey() -> None:
    assert redis.Redis.from_url(settings.REDIS_URL).ping()
