"""`durak submit`: upload a bot and wait for the server's verdict."""

from __future__ import annotations

import re
import time
from typing import Annotated, Any
from urllib.parse import quote

import httpx
import typer
from rich.markup import escape

from bots_sdk.cli.console import err, out, print_json
from bots_sdk.cli.contestants import find_folder, read_bundle
from bots_sdk.cli.errors import FAILURE, CliError, UsageError

REQUEST_SECONDS = 60.0
POLL_SECONDS = 1.0
API = "/api/v1/"
WAITING = {"uploaded": "waits for its build", "building": "is being built", "validating": "plays against itself"}


def submit(
    folder: Annotated[str, typer.Argument(help="the bot's folder")] = ".",
    url: Annotated[str | None, typer.Option(envvar="DURAK_URL", help="the arena's address")] = None,
    token: Annotated[
        str | None, typer.Option(envvar="DURAK_TOKEN", help="your API token; rather by DURAK_TOKEN")
    ] = None,
    bot: Annotated[str | None, typer.Option(help="the bot's name on the server; durak.toml's unless given")] = None,
    wait: Annotated[int, typer.Option(min=0, help="seconds to wait for the verdict; 0 only uploads")] = 300,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="print the version as JSON")] = False,
) -> None:
    """Upload a bot, made on the server if it is new, and wait until the version is ready or has failed."""
    if not url:
        raise UsageError("where to? Give --url http://host:port, or set DURAK_URL")
    if not token:
        raise UsageError("a token is needed: make one on your page of the arena, then set DURAK_TOKEN")
    arena = Arena(url, token)
    bundle = read_bundle(find_folder(folder))
    slug = bot or slug_of(bundle.manifest.name)
    if not slug:
        raise UsageError(
            f"the name {bundle.manifest.name!r} has no letter from a to z and no digit for its name on the server; "
            "give one with --bot"
        )
    version = arena.upload(slug, bundle.to_zip())
    uploaded = f"{slug} version {version['number']}: {len(bundle.files)} files uploaded, {version['sha256'][:12]}"
    err.print(uploaded, markup=False)
    deadline = time.monotonic() + wait
    said = ""
    while version["state"] in WAITING and time.monotonic() < deadline:
        if version["state"] != said:
            said = version["state"]
            err.print(f"it {WAITING[said]} ...")
        time.sleep(POLL_SECONDS)
        version = arena.version(slug, version["number"])
    if as_json:
        print_json(version)
    else:
        _print(slug, version)
    if version["state"] == "failed":
        raise typer.Exit(FAILURE)


def slug_of(name: str) -> str:
    """The name on the server: lower case, anything but letters and digits a hyphen."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def _print(slug: str, version: dict[str, Any]) -> None:
    name = f"{escape(slug)} version {version['number']}"
    if version["state"] == "ready":
        out.print(f"[green]✓[/] {name} is ready and will be matched.")
    elif version["state"] == "failed":
        out.print(f"[red]✗[/] {name} failed: ", end="")
        out.print(version.get("reason") or "no reason given", markup=False)
        if version.get("build_log"):
            out.print(version["build_log"], markup=False)
    else:
        out.print(f"{name} is still {version['state']}; its page on the arena will tell.")


class Arena:
    """The few calls of the arena's REST interface that uploading needs.

    Raises:
        UsageError: the address or the token cannot be one.

    """

    def __init__(self, url: str, token: str) -> None:
        if not re.match(r"https?://[^/]", url):
            raise UsageError(f"{url!r} is no address; it begins with http:// or https:// and a host")
        if not re.fullmatch(r"[!-~]+", token):
            raise UsageError("the token holds a character that no token has; copy it anew from your page of the arena")
        try:
            self._client = httpx.Client(
                base_url=url.rstrip("/") + API,
                headers={"Authorization": f"Bearer {token}"},
                timeout=REQUEST_SECONDS,
                follow_redirects=False,
            )
        except httpx.InvalidURL as error:
            raise UsageError(f"{url!r} is no address: {error}") from error

    def upload(self, slug: str, archive: bytes) -> dict[str, Any]:
        """Upload a version; the bot is made first where the server does not know it."""
        files = {"archive": (f"{slug}.zip", archive, "application/zip")}
        versions = f"bots/{quote(slug, safe='')}/versions/"
        response = self._request("POST", versions, files=files)
        if response.status_code == httpx.codes.NOT_FOUND:
            self._checked(self._request("POST", "bots/", json={"slug": slug}))
            response = self._request("POST", versions, files=files)
        return self._version(response)

    def version(self, slug: str, number: int) -> dict[str, Any]:
        """Ask how a version stands."""
        return self._version(self._request("GET", f"bots/{quote(slug, safe='')}/versions/{number}/"))

    def _request(self, method: str, path: str, **options: Any) -> httpx.Response:
        try:
            return self._client.request(method, path, **options)
        except (httpx.InvalidURL, UnicodeError) as error:  # a host that cannot be looked up
            raise UsageError(f"{self._client.base_url} is no address: {error}") from error
        except httpx.HTTPError as error:
            raise CliError(f"cannot reach {self._client.base_url}: {error}") from error

    def _version(self, response: httpx.Response) -> dict[str, Any]:
        body = self._checked(response)
        if not isinstance(body.get("number"), int) or not all(
            isinstance(body.get(k), str) for k in ("state", "sha256")
        ):
            raise CliError(f"{response.url} answered without a version's number, state and sha256; is it an arena?")
        return body

    def _checked(self, response: httpx.Response) -> dict[str, Any]:
        if response.is_redirect:
            raise CliError(_elsewhere(response))
        if response.is_success:
            try:
                body = response.json()
            except (ValueError, RecursionError):
                body = None
            if not isinstance(body, dict):
                raise CliError(f"{response.url} did not answer with an object in JSON; is it an arena?")
            return body
        raise CliError(f"the arena refused it ({response.status_code}): {_reason(response)}")


def _elsewhere(response: httpx.Response) -> str:
    """Nothing is sent to another place unasked: it would get the token."""
    location = response.headers["Location"]
    base, found, _ = str(response.url.join(location)).partition(API)
    advice = f"pass --url {base}" if found else "pass the arena's own address with --url"
    return f"{response.url} is not the place: it points to {location}; {advice}"


def _reason(response: httpx.Response) -> str:
    if response.status_code == httpx.codes.UNAUTHORIZED:
        return "the token is not valid; make a new one on your page of the arena"
    try:
        error = response.json()["error"]
        where = f" ({error['field']})" if error.get("field") else ""
        return f"{error['message']}{where}"
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        if "html" in response.headers.get("Content-Type", ""):
            return f"{response.reason_phrase}; it answered with a page, is it an arena?"
        return response.text[:500] or response.reason_phrase
