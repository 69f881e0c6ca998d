"""``manage.py report_host``: test this host's sandbox, and tell the arena what it can run."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from arena.bots.hosts import host_probe


class Command(BaseCommand):
    """Ends with status 1 and the reason where nothing can be held."""

    help = "Test the sandbox on this host and report it, so that uploads are taken and matches played."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Probe, report, and print the table of controls."""
        host = host_probe()
        for control in host.controls:
            line = f"  {control['state']:8} {control['name']}"
            trouble = "; ".join(filter(None, (control["detail"], control["remedy"])))
            self.stdout.write(line if control["state"] == "held" else f"{line}: {trouble}")
        if not host.ok:
            raise CommandError(f"{host.name} cannot run strangers' code: {host.reason}")
        self.stdout.write(f"{host.name}: {host.backend}, languages: {', '.join(host.languages) or 'none'}")
