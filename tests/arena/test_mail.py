"""Mail goes out through the server that the settings name, however it wants to be spoken to."""

from __future__ import annotations

import base64
import os
import shutil
import socketserver
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
USER, PASSWORD = "arena@example.org", "a password: with signs"


class Conversation(socketserver.StreamRequestHandler):
    """One client's: it must sign in, and where TLS is to be started, start it first."""

    server: MailServer

    def say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())

    def setup(self) -> None:
        self.is_private = self.server.security != "starttls"
        if self.server.security == "tls":
            self.request = self.server.tls.wrap_socket(self.request, server_side=True)
        super().setup()

    def handle(self) -> None:
        self.say("220 mail.test ESMTP")
        while line := self.rfile.readline().decode().strip():
            verb, _, rest = line.partition(" ")
            self.server.heard.append(verb.upper())
            if verb.upper() == "QUIT":
                self.say("221 bye")
                return
            getattr(self, verb.lower(), self.fine)(rest)

    def fine(self, _: str) -> None:
        self.say("250 ok")

    def ehlo(self, _: str) -> None:
        self.say("250-mail.test")
        self.say("250 AUTH PLAIN" if self.is_private else "250 STARTTLS")

    def starttls(self, _: str) -> None:
        self.say("220 go ahead")
        self.request = self.connection = self.server.tls.wrap_socket(self.request, server_side=True)
        self.rfile, self.wfile = self.request.makefile("rb"), self.request.makefile("wb", buffering=0)
        self.is_private = True

    def auth(self, rest: str) -> None:
        self.server.signed_in = base64.b64decode(rest.split()[1]).decode().split("\0")[1:]
        self.say("235 welcome")

    def data(self, _: str) -> None:
        self.say("354 send it")
        lines = []
        while (line := self.rfile.readline()) != b".\r\n":
            lines.append(line.decode())
        self.server.mails.append("".join(lines))
        self.say("250 taken")


class MailServer(socketserver.ThreadingTCPServer):
    """A mail server on this machine that keeps what it is sent."""

    daemon_threads = True

    def __init__(self, security: str, tls: ssl.SSLContext) -> None:
        super().__init__(("127.0.0.1", 0), Conversation)
        self.security, self.tls = security, tls
        self.heard: list[str] = []
        self.mails: list[str] = []
        self.signed_in: list[str] = []


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for ``localhost`` with its key, in one file."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.fail("openssl is not installed: apt-get install openssl")
    path = tmp_path_factory.mktemp("tls") / "both.pem"
    words = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    subprocess.run([openssl, *words.split(), "-keyout", path, "-out", f"{path}.crt"], check=True, capture_output=True)
    path.write_text(path.read_text() + Path(f"{path}.crt").read_text())
    return path


@pytest.fixture(params=["none", "starttls", "tls"])
def server(request: pytest.FixtureRequest, certificate: Path) -> Iterator[MailServer]:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)
    with MailServer(request.param, tls) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield running
        running.shutdown()


def manage(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def send(server: MailServer, **more: str) -> subprocess.CompletedProcess[str]:
    """Send a mail through this server, with the settings that it asks for."""
    return manage(
        "sendtestemail",
        "you@example.org",
        ARENA_EMAIL_HOST="localhost",
        ARENA_EMAIL_PORT=str(server.server_address[1]),
        ARENA_EMAIL_SECURITY=server.security,
        ARENA_EMAIL_USER=USER,
        ARENA_EMAIL_PASSWORD=PASSWORD,
        **more,
    )


def test_mail_reaches_the_server_signed_in_and_private(server: MailServer, certificate: Path) -> None:
    done = send(server, ARENA_FROM_EMAIL="arena@example.org", SSL_CERT_FILE=str(certificate))
    assert done.returncode == 0, done.stderr
    assert server.signed_in == [USER, PASSWORD]
    (mail,) = server.mails
    assert "From: arena@example.org" in mail
    assert "To: you@example.org" in mail
    assert ("STARTTLS" in server.heard) is (server.security == "starttls")


@pytest.mark.parametrize("server", ["starttls", "tls"], indirect=True)
def test_a_server_whose_certificate_nobody_vouches_for_gets_neither_password_nor_mail(server: MailServer) -> None:
    done = send(server)
    assert "CERTIFICATE_VERIFY_FAILED" in done.stderr
    assert (server.signed_in, server.mails) == ([], [])


def test_without_a_mail_server_mail_is_printed() -> None:
    done = manage("sendtestemail", "you@example.org", ARENA_EMAIL_HOST="")
    assert "To: you@example.org" in done.stdout


def setting(expression: str, **environment: str) -> str:
    """What a setting comes to, or why there is none."""
    argv = [sys.executable, "-c", f"from arena import settings as s; print({expression})"]
    done = subprocess.run(
        argv, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or done.stderr


@pytest.mark.parametrize(("security", "port"), [("starttls", "587"), ("tls", "465"), ("none", "25")])
def test_the_port_is_the_usual_one_of_the_security_unless_told(security: str, port: str) -> None:
    assert setting("s.EMAIL_PORT", ARENA_EMAIL_SECURITY=security) == port
    assert setting("s.EMAIL_PORT", ARENA_EMAIL_SECURITY=security, ARENA_EMAIL_PORT="2525") == "2525"


def test_a_security_that_there_is_not_is_refused_with_those_that_there_are() -> None:
    refusal = setting("s.EMAIL_PORT", ARENA_EMAIL_SECURITY="ssl")
    assert "ARENA_EMAIL_SECURITY is ssl; it must be starttls, tls or none." in refusal


@pytest.mark.parametrize(("verification", "field"), [("mandatory", "email*"), ("optional", "email")])
def test_an_address_that_must_be_confirmed_must_be_given(verification: str, field: str) -> None:
    assert setting("s.ACCOUNT_SIGNUP_FIELDS[1]", ARENA_EMAIL_VERIFICATION=verification) == field
    done = manage("check", ARENA_EMAIL_VERIFICATION=verification)
    assert done.returncode == 0, done.stderr
