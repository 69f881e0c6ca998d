# ruff: noqa: E501 - one row a line
"""Bots whose build attacks: one named row each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sandbox.bundles import Bundle
from sandbox.runtimes import RUNTIMES
from tests.sandbox.bundles.archives import zip_of

MIB = 1024 * 1024

#: What the rows that leave a process behind run, so that the test can look for it.
LEFTOVER = b"sleep\x004711\x00"


@dataclass(frozen=True)
class Row:
    """What the build does, its files, and words of the reason and of the log that its author reads.

    ``{secret}`` in a file stands for the path of a secret of the host, ``{port}`` for a port on which it listens.
    """

    name: str
    language: str
    files: Mapping[str, str]
    reason: str
    log: str = ""
    limits: Mapping[str, float] = field(default_factory=dict)


def cpp(source: str) -> dict[str, str]:
    return {"bot.cpp": source}


def rust(build: str) -> dict[str, str]:
    """A bot whose build script is hostile; cargo runs it before it compiles anything."""
    return {
        "Cargo.toml": '[package]\nname = "bot"\nversion = "0.1.0"\nedition = "2021"\n[profile.release]\nopt-level = 0\n',
        "src/main.rs": "fn main() {}\n",
        "build.rs": f"use std::{{fs, io::Write, process::Command}};\n#[allow(unused)]\nfn main() {{ {build} }}\n",
    }


def shell(script: str) -> dict[str, str]:
    return rust(
        f'let _ = (fs::metadata("/"), std::io::stdout().flush()); Command::new("sh").args(["-c", r#"{script}"#]).status().unwrap();'
    )


SHORT = {"seconds": 6}
SMALL = {"memory_bytes": 192 * MIB, "seconds": 40}
STATUS = "the compiler ended with status"

#: Builds that must fail, each with its reason.
FAILING = [
    Row("templates without end", "cpp", cpp("template<int N> struct A { static const int v = A<N + 1>::v; };\nint main() { return A<0>::v; }"), STATUS, "template instantiation depth"),
    Row("templates that double", "cpp", cpp("template<int N, int M> struct F { F<N - 1, 2 * M> a; F<N - 1, 2 * M + 1> b; };\ntemplate<int M> struct F<0, M> { int x; };\nF<26, 0> bomb; int main() {}"), "memory|stopped after 6 s", limits=SMALL | SHORT),
    Row("macros that double", "cpp", cpp("#define A(x) x x x x x x x x x x\n" + "".join(f"#define {b}(x) {a}({a}(x))\n" for a, b in zip("ABCDE", "BCDEF", strict=True)) + 'const char *s = F("bomb"); int main() {}'), "memory|stopped after 6 s", limits=SMALL | SHORT),
    Row("a constant that never ends", "cpp", cpp("constexpr int f(int n) { int s = 0; for (;;) s ^= ++n; return s; }\nconstexpr int x = f(1); int main() {}"), STATUS, "constexpr"),
    Row("an include of itself", "cpp", cpp('#include "bot.cpp"\nint main() {}'), STATUS, "nested depth"),
    Row("an include that doubles", "cpp", cpp('#if __INCLUDE_LEVEL__ < 100\n#include "bot.cpp"\n#include "bot.cpp"\n#endif\nint main() {}'), "stopped after 6 s|memory", limits=SHORT),
    Row("an include of /dev/zero", "cpp", cpp('#include "/dev/zero"\nint main() {}'), "memory|stopped after|status", limits=SMALL),
    Row("an include of /dev/stdin", "cpp", cpp('#include "/dev/stdin"\nint bot() {}'), STATUS),
    Row("an include of the host's passwords", "cpp", cpp('#include "/etc/shadow"\nint main() {}'), STATUS, "fatal error: /etc/shadow: "),
    Row("an include of the host's accounts", "cpp", cpp('#include "/etc/passwd"\nint main() {}'), STATUS),
    Row("an include of a host's file", "cpp", cpp('#include "{secret}"\nint main() {}'), STATUS, "No such file"),
    Row("an assembler's inclusion of a host's file", "cpp", cpp('asm(".incbin \\"{secret}\\"");\nint main() {}'), STATUS, "file not found"),
    Row("a flood of the log", "cpp", cpp('#include "log.h"\nint main() {}') | {"log.h": f'#warning {"x" * 900}\n#if __INCLUDE_LEVEL__ < 100\n#include "log.h"\n#include "log.h"\n#endif\n'}, "stopped after 6 s|memory", "xxx", limits=SHORT),
    Row("messages without end", "cpp", cpp('template<int N> struct A { static_assert(N < 0, "' + "x" * 500 + '"); A<N + 1> *p; static const int v = A<N + 1>::v; };\nint main() { return A<0>::v; }'), STATUS),
    Row("a program of a gigabyte", "cpp", cpp("char big[1 << 30] = {1};\nint main() { return big[0]; }"), "status|memory|larger than|File size limit", limits={"seconds": 40}),
    Row("a program past the limit", "cpp", cpp("char big[30 << 20] = {1};\nint main() { return big[0]; }"), "24 MiB"),
    Row("a file of the host by include_bytes", "rust", rust("") | {"src/main.rs": 'fn main() { println!("{:?}", include_bytes!("{secret}")); }'}, STATUS, "No such file"),
    Row("a build script that never ends", "rust", rust("loop { std::thread::sleep(std::time::Duration::from_secs(9)); }"), "stopped after 6 s", limits=SHORT),
    Row("a build script that spins", "rust", rust("loop { }"), "stopped after 6 s|status", limits=SHORT),
    Row("a build script that talks without end", "rust", rust('loop { eprintln!("{}", "x".repeat(100)); }'), "stopped after 6 s|memory", limits=SMALL | SHORT),
    Row("a build script that eats memory", "rust", rust("let mut hog = Vec::new(); loop { hog.push(vec![1u8; 1 << 24]); }"), "more than 192 MiB of memory|status", limits=SMALL),
    Row("a build script that fills the disk", "rust", shell("cat /dev/zero >/tmp/full; cat /dev/zero >/tmp/full2; cat /dev/zero >/tmp/full3; false; exit 1") | {"src/main.rs": "broken"}, "status|memory"),
    Row("a build script that uses up the inodes", "rust", shell("i=0; while : >/tmp/i$i; do i=$((i+1)); done") | {"src/main.rs": "broken"}, "status|stopped", limits={"seconds": 8, "tmp_inodes": 1000}),
    Row("a fork bomb", "rust", shell("f() { f | f & }; f; sleep 60"), "stopped after|status|ended before", limits={"seconds": 8}),
    Row("a build script that ends the shell", "rust", shell("kill -9 $(cut -d' ' -f4 /proc/$PPID/stat) $PPID; kill -9 -1"), "ended before|stopped by the system: Killed"),
    Row("a build script that ends the init", "rust", shell("kill -9 1; kill -STOP 1; exit 1") | {"src/main.rs": "broken"}, "status|ended before"),
    Row("a build script that connects", "rust", rust('std::net::TcpStream::connect("127.0.0.1:{port}").unwrap();'), STATUS, "panicked"),
    Row("a crate that is not there", "rust", rust("") | {"Cargo.toml": '[package]\nname = "bot"\nversion = "0.1.0"\n[dependencies]\ntokio = "1"\n'}, STATUS, "tokio"),
    Row("a link in the output", "rust", shell("ln -s /etc/passwd /tmp/out/passwd"), "passwd: it is a symbolic link"),
    Row("the program itself a link", "rust", shell("(sleep 0.2; while :; do ln -sf {secret} /tmp/out/bot; done) >/dev/null 2>&1 &"), "bot: it is a symbolic link|status|same file"),
    Row("a hard link in the output", "rust", shell("echo x >/tmp/out/a; ln /tmp/out/a /tmp/out/b"), "it is a hard link"),
    Row("the output replaced by a link", "rust", shell("rmdir /tmp/out; ln -s /etc /tmp/out"), "status|refused"),
    Row("too many files in the output", "rust", shell("cd /tmp/out; i=0; while [ $i -lt 2100 ]; do : >f$i; i=$((i+1)); done"), "more than 2000 files"),
    Row("too much in the output", "rust", shell("head -c 30000000 /dev/zero >/tmp/out/zeros"), "24 MiB"),
    Row("far too much in the output", "rust", shell("head -c 45000000 /dev/zero >/tmp/out/a; head -c 45000000 /dev/zero >/tmp/out/b"), "File size limit exceeded"),
    Row("names that differ only in case in the output", "rust", shell("echo >/tmp/out/a; echo >/tmp/out/A"), "only in case"),
    Row("a control character in the output", "rust", shell("echo >\"$(printf '/tmp/out/a\\nb')\""), "control"),
    Row("a compiler of the bot's own", "rust", rust("") | {".cargo/config.toml": '[build]\nrustc-wrapper = "./evil"\n', "evil": "#!/bin/sh\ncat {secret} >&2; exit 1\n"}, STATUS),
    Row("C in a Go bot", "go", {"go.mod": "module bot\n\ngo 1.19\n", "bot.go": 'package main\n\n// #include "/etc/shadow"\nimport "C"\n\nfunc main() {}\n'}, STATUS),
    Row("a file of the host embedded by Go", "go", {"go.mod": "module bot\n\ngo 1.19\n", "bot.go": 'package main\n\nimport _ "embed"\n\n//go:embed {secret}\nvar secret string\n\nfunc main() { println(secret) }\n'}, STATUS, "invalid pattern"),
    Row("a module from the network", "go", {"go.mod": "module bot\n\ngo 1.19\n\nrequire example.com/x v1.0.0\n", "bot.go": 'package main\n\nimport _ "example.com/x"\n\nfunc main() {}\n'}, STATUS),
    Row("Java nested too deep", "java", {"Bot.java": "class Bot { int x = " + "(" * 20000 + "1" + ")" * 20000 + "; }"}, STATUS, "StackOverflow"),
    Row("a Java string of strings", "java", {"Bot.java": 'class Bot {\n static final String a0 = "0123456789";\n' + "".join(f" static final String a{n + 1} = a{n} + a{n} + a{n} + a{n} + a{n} + a{n} + a{n} + a{n} + a{n} + a{n};\n" for n in range(9)) + "}"}, "status|memory|stopped", limits={"seconds": 40}),
    Row("Python nested too deep", "python", {"bot.py": "(" * 100_000}, STATUS, "nested"),
    Row("a Python file that is no text", "python", {"bot.py": "\0"}, STATUS),
    Row("JavaScript nested too deep", "javascript", {"bot.js": "[" * 1_000_000}, "status|memory"),
]  # fmt: skip

#: Builds that may succeed, but find nothing and harm nobody.
HARMLESS = [
    Row("a file named like an option", "python", {"bot.py": "pass\n", "-c.py": "pass\n", "--help.py": "pass\n"}, ""),
    Row("files named like options for Node", "javascript", {"bot.js": "", "--eval=process.exit(9).js": ""}, ""),
    Row("files named like options for g++", "cpp", {"bot.cpp": "int main() {}", "-o.cpp": "", "@file.cpp": ""}, ""),
    Row("a name with a shell's words", "javascript", {"bot.js": "", "$(exit 9);`exit 9`'\".js": ""}, ""),
    Row("modules that stand before Python's own", "python", {"bot.py": "pass\n", "py_compile.py": "raise SystemExit(9)\n", "sitecustomize.py": "raise SystemExit(9)\n"}, ""),
    Row("an include of the environment", "cpp", cpp('#include "/proc/self/environ"\n#include "/proc/1/environ"\nint main() {}'), STATUS),
    Row("a build script that forges the output", "rust", shell("for fd in /proc/[0-9]*/fd/1; do echo '%%% not base64' >$fd; done 2>/dev/null; sleep 1"), "something else|status"),
    Row("a build script that floods the log", "rust", shell("yes flood >/proc/$(cat /proc/$PPID/stat | cut -d' ' -f4)/fd/2"), "stopped after 6 s|status", limits=SHORT),
    Row("a pipe in the output", "rust", shell("mkfifo /tmp/out/pipe"), "pipe: it is a pipe"),
    Row("a daemon left behind", "rust", shell("setsid sh -c 'sleep 4711' >/dev/null 2>&1 &"), ""),
    Row("a daemon that holds the output", "rust", shell("setsid sh -c 'sleep 4711' &"), "|stopped after", limits={"seconds": 10}),
    Row("writes into its sources", "rust", shell("echo x >/bot/new; echo x >/bot/durak.toml; chmod 777 /bot; true"), ""),
    Row("a set-user-id program in the output", "rust", shell("cp /bin/sh /tmp/out/sh; chmod 6777 /tmp/out/sh"), ""),
    Row("a Java annotation processor", "java", {"Bot.java": "public class Bot { public static void main(String[] a) {} }", "META-INF/services/javax.annotation.processing.Processor": "Evil\n"}, ""),
]  # fmt: skip


def bundle_of(row: Row, *, secret: str, port: int) -> Bundle:
    """The row's archive, read as an upload is."""
    runtime = RUNTIMES[row.language]
    manifest = f'name = "hostile"\nlanguage = "{row.language}"\nentry = "{runtime.entry}"\npresets = ["podkidnoy"]\nseats = [2]\n'
    files = {"durak.toml": manifest, **row.files}
    filled = {name: text.replace("{secret}", secret).replace("{port}", str(port)) for name, text in files.items()}
    return Bundle.from_archive(zip_of({name: text.encode() for name, text in filled.items()}))
