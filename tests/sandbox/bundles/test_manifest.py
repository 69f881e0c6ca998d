# ruff: noqa: E501 - one row a line
"""The manifest: what it may say, and in which words it is refused."""

from __future__ import annotations

import pytest

from sandbox.bundles import BundleError, Manifest, read_manifest
from sandbox.runtimes import RUNTIMES
from tests.sandbox.bundles.archives import MANIFEST


def changed(old: str, new: str) -> bytes:
    assert old in MANIFEST.decode()
    return MANIFEST.decode().replace(old, new).encode()


def test_a_manifest_is_read() -> None:
    assert read_manifest(MANIFEST) == Manifest("mybot", "python", "bot.py", ("podkidnoy",), (2, 4))


def test_seats_are_sorted_and_a_leading_dot_slash_of_the_entry_is_dropped() -> None:
    data = changed("[2, 4]", "[6, 2, 3]").replace(b'"bot.py"', b'"./bot.py"')
    assert read_manifest(data).seats == (2, 3, 6)
    assert read_manifest(data).entry == "bot.py"


def test_windows_line_ends_and_a_byte_order_mark_are_read() -> None:
    assert read_manifest(b"\xef\xbb\xbf" + MANIFEST.replace(b"\n", b"\r\n")) == read_manifest(MANIFEST)


@pytest.mark.parametrize("name", ["A", "Дурак 2", "my-bot_v1.2", "x" * 40])
def test_names_may_be_words_of_any_script(name: str) -> None:
    assert read_manifest(changed("mybot", name)).name == name


@pytest.mark.parametrize("language", RUNTIMES)
def test_every_language_is_accepted_with_its_usual_entry(language: str) -> None:
    runtime = RUNTIMES[language]
    data = changed("python", language).replace(b"bot.py", runtime.entry.encode())
    assert read_manifest(data).runtime is runtime


REFUSALS = {
    "an unknown key near a known one": (MANIFEST + b"seat = 2\n", r"durak\.toml, seat: there is no such key. Did you mean 'seats'\?"),
    "a key in capitals": (changed("name =", "NAME ="), r"NAME: there is no such key. Did you mean 'name'\?"),
    "a key near none": (MANIFEST + b"zzz = 1\n", r"zzz: there is no such key. Keys are: entry, language, name, presets, seats\."),
    "a table": (MANIFEST + b"[bot]\nname = 1\n", r"durak\.toml, bot: there is no such key"),
    "a missing key": (changed('entry = "bot.py"\n', ""), r'entry: the key is missing\. Add a line such as: entry = "bot\.py"'),
    "a language near a known one": (changed("python", "Pyhton"), r"'Pyhton' is no language here\. Did you mean 'python'\?"),
    "a language near none": (changed("python", "cobol"), r"Languages are: cpp, go, java, javascript, python, rust\."),
    "a language that is a number": (changed('"python"', "3"), r"3 is no language here"),
    "an entry of another language": (changed("bot.py", "bot.js"), r"bot\.js is no Python file\. Name a file ending in \.py"),
    "an empty entry": (changed("bot.py", ""), r"'' is no path"),
    "a preset near a known one": (changed("podkidnoy", "podkidnoi"), r"presets: 'podkidnoi' is no rule set here\. Did you mean 'podkidnoy'\?"),
    "a preset that is no text": (changed('["podkidnoy"]', "[1]"), r"1 is no rule set here"),
    "presets that are no list": (changed('["podkidnoy"]', '"podkidnoy"'), r"'podkidnoy' is no list"),
    "no presets": (changed('["podkidnoy"]', "[]"), r"\[\] is no list with something in it"),
    "a preset twice": (changed('["podkidnoy"]', '["podkidnoy", "podkidnoy"]'), r"'podkidnoy' stands there twice"),
    "seven seats": (changed("[2, 4]", "[2, 7]"), r"seats: 7 is no number of seats\. Use 2 to 6\."),
    "one seat": (changed("[2, 4]", "[1]"), r"1 is no number of seats"),
    "seats that are true": (changed("[2, 4]", "[true]"), r"True is no number of seats"),
    "seats that fit no rule set": (changed('["podkidnoy"]', '["podkidnoy", "trios"]'), r"seats: 'trios' cannot be played by 2 or 4 seats\. It takes 6"),
    "seats in words": (changed("[2, 4]", '["two"]'), r"'two' is no number of seats"),
    "seats that are one number": (changed("[2, 4]", "2"), r"2 is no list"),
    "an empty name": (changed("mybot", ""), r"name: '' is no name\. Use 1 to 40"),
    "a name too long": (changed("mybot", "x" * 41), r"is no name"),
    "a name with markup": (changed("mybot", "<b>x</b>"), r"'<b>x</b>' is no name"),
    "a name with an override character": (changed("mybot", "a\u202eb"), r"is no name"),
    "a name on two lines": (changed("mybot", "a\\nb"), r"is no name"),
    "a name that ends in a space": (changed("mybot", "mybot "), r"is no name"),
    "not TOML": (b"name: mybot\n", r"it is not valid TOML: .*line 1.*A manifest looks like this"),
    "not UTF-8": (b"\xff\xfe", r"it is not UTF-8"),
    "nothing": (b"", r"name: the key is missing"),
    "nested too deep": (b"a = " + b"[" * 5000, r"it is not valid TOML"),
    "too large": (MANIFEST + b"#" * 16384, r"larger than 16 KiB"),
    "a number too long to read": (MANIFEST + b"a = " + b"9" * 9000, r"it is not valid TOML"),
    "a number too long to write": (changed("[2, 4]", "[0x" + "f" * 9000 + "]"), r"a number of thousands of digits is no number of seats"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSALS)
def test_a_wrong_manifest_is_refused_with_what_where_and_what_to_do(case: str) -> None:
    data, words = REFUSALS[case]
    with pytest.raises(BundleError, match=f"(?s){words}") as caught:
        read_manifest(data)
    assert caught.value.where.startswith("durak.toml")
    assert caught.value.remedy
