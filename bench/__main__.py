"""`make bench`: every benchmark, or those named (`python -m bench engine sandbox worker`)."""

from __future__ import annotations

import argparse
import importlib

BENCHES = {
    "engine": "deals and moves per second of the rules, beside a public engine",
    "sandbox": "start and round trip of each sandbox, beside a bare subprocess",
    "worker": "deals per second through the whole worker path, beside bare subprocesses",
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BENCHES)}; all when none is named")
    names = parser.parse_args().names or list(BENCHES)
    for name in names:
        if name not in BENCHES:
            parser.error(f"there is no benchmark {name!r}; there are {', '.join(BENCHES)}")
    for name in names:
        print(f"\n== {name}: {BENCHES[name]}\n", flush=True)
        importlib.import_module(f"bench.{name}").main()


if __name__ == "__main__":
    main()
