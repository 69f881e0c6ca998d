"""`durak play`: bots against one another on this machine, on duplicate sets."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import signal
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import Progress, TaskID
from rich.table import Table
from rich.text import Text

from bots_sdk.cli.console import complain, out, print_json, progress_bar
from bots_sdk.cli.contestants import Contestant, contestants
from bots_sdk.cli.errors import FAILURE, CliError, UsageError
from bots_sdk.cli.tally import Tally
from bots_sdk.durak import Event, RuleError, RuleSet
from bots_sdk.ratings import Sprt
from bots_sdk.referee import HostFault, MatchPlan, SittingSpec, TimeControl, play_sitting, start_players
from bots_sdk.referee.plan import CIRCULAR_ORDERS

BATCH_SETS = 20
"""Sets played with one start of every bot per rotation; between batches the test is looked at."""

FAULTS_SHOWN = 5
ENOUGH_SETS = 20
"""Below this many sets an Elo interval says nothing worth printing."""


@dataclass(frozen=True)
class Series:
    """What is to be played."""

    bots: Sequence[Contestant]
    preset: str
    rules: RuleSet
    deals: int
    seed: bytes
    time_control: TimeControl
    fault_limit: int

    @property
    def sets(self) -> int:
        """Complete duplicate sets, at least as many deals as asked for."""
        return -(-self.deals // len(self.bots))

    def batches(self) -> Iterator[tuple[int, MatchPlan]]:
        """The series in batches of sets, each a match of its own seed."""
        for batch, start in enumerate(range(0, self.sets, BATCH_SETS)):
            sets = min(BATCH_SETS, self.sets - start)
            seed = hashlib.sha256(self.seed + batch.to_bytes(8, "big")).digest()
            yield batch, MatchPlan.build(self.rules, len(self.bots), sets, seed)


@dataclass(frozen=True)
class Stop:
    """Why a series ended before its time, in words, and the exit code."""

    reason: str
    code: int = FAILURE


@dataclass(frozen=True)
class TestTerms:
    """The terms of a sequential test."""

    elo0: float
    elo1: float
    alpha: float
    beta: float


def play(
    bots: Annotated[list[str], typer.Argument(metavar="BOT BOT [BOT...]", help="folders, or reference bots by name")],
    deals: Annotated[int, typer.Option("-n", "--deals", min=1, help="how many deals, rounded up to whole sets")] = 100,
    preset: Annotated[str, typer.Option(help="the rules; `durak explain` lists them")] = "podkidnoy",
    seed: Annotated[str | None, typer.Option(help="any text: the same text deals the same cards")] = None,
    move_ms: Annotated[int, typer.Option(min=0, help="time for each move")] = 200,
    bank_ms: Annotated[int, typer.Option(min=0, help="time for all that runs over, per sitting")] = 3_000,
    fault_limit: Annotated[int, typer.Option(min=1, help="faults that put a bot out")] = 3,
    save: Annotated[Path | None, typer.Option(help="a folder for records, faults and the bots' logs")] = None,
    *,
    sprt: Annotated[bool, typer.Option("--sprt", help="stop when the first is proved better, or not")] = False,
    elo0: Annotated[float, typer.Option(help="SPRT: not better than this")] = 0.0,
    elo1: Annotated[float, typer.Option(help="SPRT: at least as much better")] = 20.0,
    alpha: Annotated[float, typer.Option(help="SPRT: chance to accept wrongly")] = 0.05,
    beta: Annotated[float, typer.Option(help="SPRT: chance to reject wrongly")] = 0.05,
    as_json: Annotated[bool, typer.Option("--json", help="print JSON")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="no progress bar")] = False,
) -> None:
    """Play bots against one another on this machine and say who is durak how often.

    They run as ordinary programs: nothing protects this machine from them. Every deck is played once for each
    rotation of the bots around the table, so that the luck of the deal cancels. Exit code 1 if a bot was put out or
    the series could not go on; what was played until then is told.
    """
    rules = preset_rules(preset)
    _require_number(len(bots), preset, rules)
    terms = _test_terms(elo0, elo1, alpha, beta) if sprt else None
    if save is not None:
        with _writing(save):
            save.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="durak-play-") as scratch:
        players = contestants(bots, Path(scratch))
        for player in players:
            player.require(preset, rules, len(players))
        seed = seed or secrets.token_hex(8)
        hashed = hashlib.sha256(os.fsencode(seed)).digest()
        series = Series(players, preset, rules, deals, hashed, _time_control(move_ms, bank_ms), fault_limit)
        tally = Tally([bot.label for bot in players], rules)
        stop = _play_series(series, terms, save, tally, shown=not quiet)
    test = tally.test(terms.elo0, terms.elo1, terms.alpha, terms.beta) if terms else None
    if as_json:
        print_json(_as_json(series, seed, tally, test, stop))
    elif tally.deals:
        _print(series, seed, tally, test)
    if stop is not None:
        complain(f"stopped after {tally.deals} of {series.sets * len(players)} deals: {stop.reason}")
        raise typer.Exit(stop.code)


def _require_number(count: int, preset: str, rules: RuleSet) -> None:
    """Refuse a number of bots that nobody plays the preset with.

    Raises:
        UsageError: with the numbers that it is played with.

    """
    counts = [seats for seats in rules.seat_counts if seats in CIRCULAR_ORDERS]
    if count not in counts:
        numbers = f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else str(counts[0])
        raise UsageError(f"{preset} is played by {numbers} bots, not by {count}; a bot may be named more than once")


def preset_rules(name: str) -> RuleSet:
    """A preset by name.

    Raises:
        UsageError: there is none, with the nearest.

    """
    try:
        return RuleSet.preset(name)
    except RuleError as error:
        raise UsageError(str(error)) from error


def _time_control(move_ms: int, bank_ms: int) -> TimeControl:
    try:
        return TimeControl(move_ms=move_ms, bank_ms=bank_ms)
    except ValueError as error:
        raise UsageError(str(error)) from error


def _test_terms(elo0: float, elo1: float, alpha: float, beta: float) -> TestTerms:
    from bots_sdk.ratings import sprt as try_out

    try:
        try_out({}, elo0=elo0, elo1=elo1, alpha=alpha, beta=beta)
    except ValueError as error:
        raise UsageError(str(error)) from error
    return TestTerms(elo0, elo1, alpha, beta)


def _play_series(
    series: Series, terms: TestTerms | None, save: Path | None, tally: Tally, *, shown: bool
) -> Stop | None:
    """Play until the end, the test's verdict, or a stop; all that was played is in the tally."""
    try:
        broken = _play_sittings(series, terms, save, tally, shown=shown)
    except HostFault as fault:
        return Stop(f"the host failed, not a bot: {fault.reason}")
    except CliError as error:
        return Stop(str(error), error.code)
    except KeyboardInterrupt:
        return Stop("interrupted", 128 + signal.SIGINT)
    if broken is None:
        return None
    return Stop(f"{broken} was put out after {series.fault_limit} faults, or by one that ended it")


def _play_sittings(
    series: Series, terms: TestTerms | None, save: Path | None, tally: Tally, *, shown: bool
) -> str | None:
    """Play until the end, the test's verdict, or a bot is out; returns that bot's label."""
    count = len(series.bots)
    with progress_bar(shown=shown) as bar:
        task = bar.add_task("playing", total=series.sets * count)
        for batch, plan in series.batches():
            faults = [0] * count
            for sitting in plan.sittings:
                spec = SittingSpec.planned(
                    plan,
                    sitting,
                    time_control=series.time_control,
                    fault_limit=series.fault_limit,
                    faults=faults,
                    mask_forced=False,
                )
                players = start_players(series.bots[number].start for number in sitting.order)
                outcome = play_sitting(spec, players, on_event=_advancing(bar, task))
                tally.add(sitting.order, outcome, batch)
                for fault in outcome.faults:
                    faults[sitting.order[fault.seat]] += 1
                if save is not None:
                    _save(save, series, batch, sitting.order, outcome)
                if any(outcome.excluded):
                    return series.bots[sitting.order[outcome.excluded.index(True)]].label
            if terms is not None:
                test = tally.test(terms.elo0, terms.elo1, terms.alpha, terms.beta)
                bar.update(task, description=f"playing, LLR {test.llr:+.2f}")
                if test.verdict is not None:
                    break
    return None


def _advancing(bar: Progress, task: TaskID) -> Any:
    def on_event(_deal: int, event: Event) -> None:
        if event.kind == "deal_over":
            bar.advance(task)

    return on_event


def _save(folder: Path, series: Series, batch: int, order: Sequence[int], outcome: Any) -> None:
    """Write each deal's record, each fault with its position, and each bot's log."""
    with _writing(folder):
        for deal in outcome.deals:
            seats = " ".join(series.bots[number].label for number in order)
            name = folder / f"deal-{batch:03}-{deal.spec.index:03}.durak"
            name.write_text(deal.record, encoding="utf-8")
            name.with_suffix(".seats").write_text(seats + "\n", encoding="utf-8")
        for fault in outcome.faults:
            where = "start" if fault.deal is None else f"{fault.deal:03}"
            name = folder / f"fault-{batch:03}-{where}-{series.bots[order[fault.seat]].label}.json"
            kept = {"verdict": fault.verdict, "reason": fault.reason, "turn": fault.turn}
            kept |= {"line": fault.line, "log": fault.log}
            name.write_text(json.dumps({**kept, "position": fault.position}, indent=1), encoding="utf-8")
        for seat, report in enumerate(outcome.exits):
            if report is not None and report.stderr:
                with (folder / f"{series.bots[order[seat]].label}.log").open("ab") as log:
                    log.write(report.stderr)


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise CliError(f"cannot write to {folder}: {error.strerror}") from error


def _as_json(series: Series, seed: str, tally: Tally, test: Sprt | None, stop: Stop | None) -> dict[str, Any]:
    result: dict[str, Any] = {
        "preset": series.preset,
        "seats": len(series.bots),
        "seed": seed,
        "deals": tally.deals,
        "draws": tally.draws,
        "error": None if stop is None else stop.reason,
        "bots": tally.rows(),
        "faults": [
            {
                "bot": tally.labels[who],
                "deal": fault.deal,
                "turn": fault.turn,
                "verdict": fault.verdict,
                "reason": fault.reason,
                "line": fault.line,
                "log": fault.log,
            }
            for who, fault in tally.faults
        ],
    }
    if test is not None:
        result["sprt"] = {
            "llr": test.llr,
            "lower": test.lower,
            "upper": test.upper,
            "elo": test.elo,
            "elo_interval": list(test.interval),
            "sets": test.sets,
            "verdict": {"A": "better", "B": "not better", None: "undecided"}[test.verdict],
        }
    finite: dict[str, Any] = _finite(result)
    return finite


def _finite(value: Any) -> Any:
    """JSON has no infinity: null stands for it."""
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_finite(inner) for inner in value]
    return None if isinstance(value, float) and abs(value) == float("inf") else value


def _print(series: Series, seed: str, tally: Tally, test: Sprt | None) -> None:
    title = f"{tally.deals} deals of {series.preset}, {len(series.bots)} seats, seed {seed}"
    table = Table(title=Text(title, "table.title"))
    for heading in ("bot", "durak", "rate", "95 % interval", "Elo", "ms p50 / p99", "faults"):
        table.add_column(heading, justify="left" if heading == "bot" else "right")
    rows = tally.rows()
    enough = tally.deals >= ENOUGH_SETS * len(series.bots)
    for row in rows:
        low, high = row["interval"]
        elo = "0" if row is rows[-1] else f"{row['elo']:+.0f} ± {row['elo_interval'][1] - row['elo']:.0f}"
        ms = row["ms"]
        table.add_row(
            row["bot"],
            str(row["durak"]),
            f"{row['rate']:.1%}",
            f"{low:.1%} to {high:.1%}",
            elo if enough else "-",
            f"{ms['median']:.2f} / {ms['p99']:.1f}",
            str(row["faults"]),
        )
    out.print(table)
    out.print(f"{tally.draws} draws. Elo is against {tally.labels[-1]}, from whole sets; interval 95 %.")
    if test is not None:
        words = {"A": "is better", "B": "is not better", None: "is not decided yet"}[test.verdict]
        out.print(
            f"SPRT on {test.sets} sets: LLR {test.llr:+.2f} ({test.lower:.2f} to {test.upper:.2f}): "
            f"{tally.labels[0]} {words}. Elo {test.elo:+.1f} ({test.interval[0]:+.1f} to {test.interval[1]:+.1f})"
        )
    for who, fault in tally.faults[:FAULTS_SHOWN]:
        where = "before the first deal" if fault.deal is None else f"deal {fault.deal}, turn {fault.turn}"
        out.print(f"[red]{tally.labels[who]}[/], {where}: {fault.verdict}: ", end="")
        out.print(fault.reason, markup=False)
        if fault.line:
            out.print(f"    it sent: {fault.line}", markup=False)
        if fault.log:
            out.print(f"    its log ends with: {fault.log}", markup=False)
    if len(tally.faults) > FAULTS_SHOWN:
        out.print(f"... and {len(tally.faults) - FAULTS_SHOWN} more faults; --save FOLDER keeps them all.")
