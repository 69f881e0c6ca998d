"""What one person may have: counted, and added to, by one request at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction

from arena.accounts.models import User


@contextmanager
def quota_of(person: User) -> Iterator[None]:
    """A transaction that holds the person's row: what is counted of theirs in it is right until what is made is saved.

    The lock stands in the way of nobody but other quotas of the same person: rows that refer to them can be written.
    """
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).values_list("pk").get(pk=person.pk)
        yield
