"""The languages a bot can be written in, one row each.

A row is policy as data: what the sandbox mounts, sets and limits, how sources become a program, how the
program is run.  A seventh language is one row here and one folder under ``sandbox/images`` (see
``docs/languages.md``).

Words of a row's argv may hold ``{entry}`` (the manifest's entry), ``{module}`` (the entry without its suffix,
dotted: ``com/me/Main.java`` is ``com.me.Main``) and, as a word of its own, ``{sources}`` (every source file
of the bundle, each written ``./path``, so that no name is taken for an option).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from glob import glob
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Final

MIB: Final = 1024 * 1024

#: Where a compiler writes what it made, inside the sandbox.
OUTPUT: Final = "/tmp/out"  # noqa: S108 - a tmpfs of the sandbox's own

#: The folder of the program, beside the bundle's files, that holds what the compiler made.
PRODUCTS: Final = ".build"

#: Where the prepared Python libraries (the SDK, numpy) lie inside the sandbox.
PYTHON_LIBRARY: Final = "/opt/durak/python"

_BASE_ENV: Final = MappingProxyType(
    {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8", "TZ": "UTC"}  # noqa: S108
)


@dataclass(frozen=True, slots=True)
class Package:
    """A Debian package of the image, and a file (a glob) that proves it installed on a host without images."""

    name: str
    proof: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildLimits:
    """What a build may use; larger than what the built bot may use.

    ``seconds`` is wall time, ``cpus`` a rate (1.0 is one core); ``output_bytes`` bounds the sum of the files that
    the compiler made.
    """

    seconds: float = 90.0
    cpus: float = 1.0
    memory_bytes: int = 1024 * MIB
    pids: int = 64
    tmp_bytes: int = 256 * MIB
    tmp_inodes: int = 16384
    output_bytes: int = 24 * MIB
    output_files: int = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """One language.

    ``packages`` are Debian's, in the image and, where there are no images, wanted on the host.  ``entry`` is the
    usual name of the file that starts a bot; ``requires`` must lie beside the manifest; ``scratch`` is what the
    language's tools leave in an author's folder.  ``libraries``, if not empty, is where the prepared libraries
    are mounted; ``host_paths`` are globs, beside ``/usr``, of what a host's own installation needs.
    ``memory_bytes`` and ``pids`` are the limits of a bot at play.
    """

    name: str
    title: str
    image: str
    packages: tuple[Package, ...]
    suffixes: tuple[str, ...]
    entry: str
    compile: tuple[str, ...]
    run: tuple[str, ...]
    compiled: bool = False
    requires: tuple[str, ...] = ()
    scratch: tuple[str, ...] = ()
    libraries: str = ""
    host_paths: tuple[str, ...] = ("/etc/alternatives", "/etc/ld.so.cache")
    env: Mapping[str, str] = field(default_factory=lambda: _BASE_ENV)
    build_env: Mapping[str, str] = field(default_factory=lambda: _BASE_ENV)
    memory_bytes: int = 256 * MIB
    pids: int = 32
    build: BuildLimits = BuildLimits()

    @property
    def folder(self) -> Path:
        """The language's folder: ``Dockerfile``, ``packages.txt`` and ``template/``."""
        return Path(__file__).parent / "images" / self.name

    @property
    def package_list(self) -> Path:
        """The published list of the packages in the image, one ``name version`` a line."""
        return self.folder / "packages.txt"

    def run_argv(self, entry: str) -> tuple[str, ...]:
        """Return the command that runs a bot, to be started in the program's folder."""
        return _fill(self.run, entry, ())

    def compile_argv(self, entry: str, paths: Iterable[str]) -> tuple[str, ...]:
        """Return the command that checks or compiles a bundle with these ``paths``, to be started in its folder."""
        return _fill(self.compile, entry, tuple(f"./{path}" for path in sorted(paths) if path.endswith(self.suffixes)))


def missing_packages(runtime: Runtime) -> tuple[str, ...]:
    """Return the Debian packages that this host lacks to run ``runtime`` without an image (bubblewrap)."""
    return tuple(package.name for package in runtime.packages if not glob(package.proof))  # noqa: PTH207 - absolute


def _env(**more: str) -> Mapping[str, str]:
    return MappingProxyType({**_BASE_ENV, **more})


def _fill(argv: tuple[str, ...], entry: str, sources: tuple[str, ...]) -> tuple[str, ...]:
    names = {"{entry}": entry, "{module}": ".".join(PurePosixPath(entry).with_suffix("").parts)}
    filled: list[str] = []
    for word in argv:
        if word == "{sources}":
            filled.extend(sources)
        else:
            filled.append(names.get(word, word))
    return tuple(filled)


_BOT: Final = f"./{PRODUCTS}/bot"

_PYTHON_ENV: Final = {
    "PYTHONPATH": PYTHON_LIBRARY,
    "PYTHONDONTWRITEBYTECODE": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}

# Cargo writes beside its sources, so it works on a copy. Where Debian's crates are (in the image always), it takes
# no others; an author's own machine may have them from elsewhere.
_CARGO: Final = (
    "cp -R . /tmp/src && cd /tmp/src && if [ -d /usr/share/cargo/registry ]; then set -- --offline"
    """ --config 'source.crates-io.replace-with="debian"'"""
    """ --config 'source.debian.directory="/usr/share/cargo/registry"'; fi"""
    f' && cargo build --release --bin bot "$@" && cp target/release/bot {OUTPUT}/bot'
)

_NODE_CHECK: Final = 'for file; do node --check "$file" || exit 1; done'

_ALL: Final = (
    Runtime(
        name="python",
        title="Python",
        image="durak-arena/python:1",
        packages=(Package("python3", "/usr/bin/python3"),),
        suffixes=(".py",),
        entry="bot.py",
        compile=("python3", "-I", "-X", "pycache_prefix=/tmp/pycache", "-m", "py_compile", "{sources}"),
        run=("python3", "-u", "{entry}"),
        libraries=PYTHON_LIBRARY,
        env=_env(**_PYTHON_ENV),
    ),
    Runtime(
        name="javascript",
        title="JavaScript",
        image="durak-arena/javascript:1",
        packages=(Package("nodejs", "/usr/bin/node"),),
        suffixes=(".js", ".mjs", ".cjs"),
        entry="bot.js",
        compile=("sh", "-c", _NODE_CHECK, "sh", "{sources}"),
        run=("node", "--max-old-space-size=160", "{entry}"),
    ),
    Runtime(
        name="cpp",
        title="C++",
        image="durak-arena/cpp:1",
        packages=(
            Package("g++", "/usr/bin/g++"),
            Package("nlohmann-json3-dev", "/usr/include/nlohmann/json.hpp"),
        ),
        suffixes=(".cpp", ".cc", ".cxx"),
        entry="bot.cpp",
        compile=("g++", "-std=c++20", "-O2", "-Wall", "-pipe", "-I.", "-o", f"{OUTPUT}/bot", "{sources}", "-pthread"),
        run=(_BOT,),
        compiled=True,
    ),
    Runtime(
        name="rust",
        title="Rust",
        image="durak-arena/rust:1",
        packages=(
            Package("rustc", "/usr/bin/rustc"),
            Package("cargo", "/usr/bin/cargo"),
            Package("librust-serde-json-dev", "/usr/share/cargo/registry/serde_json-*"),
            Package("librust-rand-dev", "/usr/share/cargo/registry/rand-[0-9]*"),
        ),
        suffixes=(".rs",),
        entry="src/main.rs",
        requires=("Cargo.toml",),
        scratch=("target",),
        compile=("sh", "-c", _CARGO),
        run=(_BOT,),
        compiled=True,
        build_env=_env(CARGO_HOME="/tmp/cargo", CARGO_TERM_COLOR="never"),  # noqa: S108
        build=BuildLimits(seconds=240, memory_bytes=1536 * MIB, tmp_bytes=512 * MIB),
    ),
    Runtime(
        name="go",
        title="Go",
        image="durak-arena/go:1",
        packages=(Package("golang-go", "/usr/bin/go"),),
        suffixes=(".go",),
        entry="bot.go",
        requires=("go.mod",),
        compile=("go", "build", "-trimpath", "-ldflags=-s -w", "-o", f"{OUTPUT}/bot", "."),
        run=(_BOT,),
        compiled=True,
        env=_env(GOMAXPROCS="1", GOMEMLIMIT="208MiB"),
        build_env=_env(
            GOCACHE="/tmp/go-cache",  # noqa: S108
            GOPATH="/tmp/go",  # noqa: S108
            GOPROXY="off",
            GOFLAGS="-buildvcs=false",
            GO111MODULE="on",
            CGO_ENABLED="0",
        ),
        build=BuildLimits(seconds=180, pids=128, tmp_bytes=512 * MIB),
    ),
    Runtime(
        name="java",
        title="Java",
        image="durak-arena/java:1",
        packages=(
            Package("default-jdk-headless", "/usr/bin/javac"),
            Package("libgoogle-gson-java", "/usr/share/java/gson.jar"),
        ),
        suffixes=(".java",),
        entry="Bot.java",
        compile=(
            "javac",
            "-J-Xmx512m",
            "-J-XX:+UseSerialGC",
            "-J-XX:-UsePerfData",
            "-proc:none",
            "-encoding",
            "UTF-8",
            "-cp",
            "/usr/share/java/gson.jar",
            "-d",
            OUTPUT,
            "{sources}",
        ),
        run=(
            "java",
            "-Xmx288m",
            "-XX:+UseSerialGC",
            "-XX:ActiveProcessorCount=1",
            "-XX:-UsePerfData",
            "-cp",
            f"{PRODUCTS}:.:/usr/share/java/gson.jar",
            "{module}",
        ),
        compiled=True,
        host_paths=("/etc/alternatives", "/etc/ld.so.cache", "/etc/java-*-openjdk"),
        memory_bytes=448 * MIB,
        pids=64,
    ),
)

_ROWS: Final = {runtime.name: runtime for runtime in _ALL}

#: Every language by the name that the manifest uses.
RUNTIMES: Final[Mapping[str, Runtime]] = MappingProxyType(_ROWS)
