#!/usr/bin/env python3
"""Django's command line for the arena."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")
    if "ARENA_SECRET_KEY" not in os.environ:  # beside a running `make demo`
        from arena.demo.environment import environment_join

        environment_join()
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
