"""Watches what the demo stands on: says when the pages answer, and ends when PostgreSQL or Valkey is gone."""

from __future__ import annotations

import os
import sys
import time

import httpx
import psycopg
import redis

TRIES = 3
PAUSE = 2.0  # seconds


def ask_postgres() -> None:
    with psycopg.connect(os.environ["ARENA_DATABASE_URL"], connect_timeout=5) as connection:
        connection.execute("SELECT 1")


def ask_valkey() -> None:
    with redis.Redis.from_url(os.environ["ARENA_REDIS_URL"], socket_timeout=5) as client:
        client.ping()


def ask_web(address: str) -> None:
    httpx.get(f"{address}/health/", timeout=10).raise_for_status()


def main(address: str) -> int:
    services = {"PostgreSQL": ask_postgres, "Valkey": ask_valkey}
    failures = dict.fromkeys(services, 0)
    announced = False
    while True:
        for name, ask in services.items():
            try:
                ask()
                failures[name] = 0
            except (psycopg.Error, redis.RedisError, OSError) as error:
                failures[name] += 1
                print(f"{name} does not answer ({failures[name]} of {TRIES}): {error}", flush=True)
                if failures[name] == TRIES:
                    print(f"{name} has died. Its log is in {os.environ['ARENA_DATA']}.", flush=True)
                    return 1
        if not announced:
            try:
                ask_web(address)
                announced = True
                print(f"ready: {address}/", flush=True)
            except httpx.HTTPError:
                pass
        time.sleep(PAUSE)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
