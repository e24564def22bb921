"""Commands from plans: options, help, ranges and errors come from the settings; a command only says how it prints."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import click

from kibitz.cli._bars import stages
from kibitz.cli._errors import Interrupted
from kibitz.cli._files import folder_for
from kibitz.cli._output import folded
from kibitz.errors import KibitzError
from kibitz.parallel import EXECUTORS, load_executor
from kibitz.plans import Artefact, CellsPlan, Means, Plan, Report, Row, Setting, carry_out, check_folder, settings_of
from kibitz.plans.carry_out import Terminated
from kibitz.plans.checkpoints import Place
from kibitz.progress import Progress as Tell

PlanT = TypeVar("PlanT", bound=Plan)


class TerminatedCommand(Interrupted):
    """SIGTERM: as of a program that it has ended."""

    exit_code = 128 + 15


@dataclass(frozen=True)
class Work(Generic[PlanT]):
    """What a command is to do: a plan, the folder for it, and how to tell of it."""

    plan: PlanT
    out: Path | None = None
    resume: bool = False
    as_json: bool = False
    executor: str = "auto"

    def reports(self) -> Iterator[Report]:
        """Carry out the plan, leaving nothing half-made; an interruption says how to go on."""
        try:
            with self._folder(), stages() as tell, closing(self._carried_out(tell)) as reports:
                for report in reports:
                    tell(report.stage or self.plan.kind, report.done, report.goal)
                    yield report
        except KeyboardInterrupt as end:
            kind = TerminatedCommand if isinstance(end, Terminated) else Interrupted
            raise kind(self._farewell()) from None

    def rows(self) -> Iterator[Row]:
        """The rows of the curve as they come; an error if there is nothing left to do."""
        is_new = False
        for report in self.reports():
            if report.row is not None:
                is_new = True
                yield report.row
        if not is_new:
            raise click.UsageError(f"nothing left to do: the run in {self.out} is complete")

    def made(self) -> Artefact:
        """What the run makes."""
        *_, last = self.reports()
        assert last.artefact is not None
        return last.artefact

    def _folder(self) -> AbstractContextManager[None]:
        """The folder in which something will lie."""
        is_file = self.out is not None and self.plan.leaves == "file"
        return folder_for(self.out.parent, self.out) if is_file and self.out is not None else folder_for(self.out)

    def _carried_out(self, tell: Tell) -> Generator[Report, None, None]:
        executor = load_executor(self.executor) if self.executor != "auto" else None
        means = Means(tell, lambda line: click.echo(folded(line), err=self.as_json), executor)
        return carry_out(self.plan, self.out, resume=self.resume, means=means)

    def _farewell(self) -> str:
        kept = self.out is not None and Place(self.out, self.plan.leaves == "file").checkpoint.exists()
        return f"Interrupted. To go on, add --resume: {self.out} has a checkpoint." if kept else "Interrupted."


def plan_command(
    plan: type[PlanT], json_help: str, *more: click.Parameter
) -> Callable[[Callable[..., None]], click.Command]:
    """A command that makes a `plan` of its options and tells of it as the decorated function does.

    more   options of the telling, which the function is given by name
    """

    def decorate(tell: Callable[..., None]) -> click.Command:
        def command(
            out: Path | None, as_json: bool, resume: bool = False, executor: str = "auto", **given: Any
        ) -> None:
            told = {str(each.name): given.pop(str(each.name)) for each in more}
            said = {name: value for name, value in given.items() if value is not None and value != ()}
            check_folder(out, resume, plan)
            tell(Work(plan(**said), out, resume, as_json, executor), **told)

        options = [*map(option_of, settings_of(plan)), *more, *run_options(plan, json_help)]
        name, text = plan.kind.rpartition(" ")[2], plan.__doc__ or ""
        return click.Command(name, callback=command, params=options, help=text, short_help=first_sentence(text))

    return decorate


def first_sentence(text: str) -> str:
    """What a list of commands says, on as many lines as it takes."""
    return " ".join(re.split(r"(?<=\.)\s", text, maxsplit=1)[0].split())


def option_of(each: Setting) -> click.Parameter:
    """The argument or option for a setting."""
    if each.argument:
        name, many = (each.option or each.name).upper(), -1 if each.many else 1
        shown = (name if each.is_required else f"[{name}]") + "..." * each.many
        return click.Argument([each.name], type=_Text(each), metavar=shown, required=each.is_required, nargs=many)
    if each.kind is bool:
        return click.Option([each.flag, each.name], is_flag=True, default=None, help=_help(each))
    return click.Option(
        [each.flag, each.name], type=_Text(each), required=each.is_required, multiple=each.many, help=_help(each),
        metavar=_metavar(each),
    )  # fmt: skip


def run_options(plan: type[Plan], json_help: str) -> list[click.Parameter]:
    """What every long command has, and those whose plans consist of cells."""
    executor = click.Option(
        ["--executor"],
        type=click.Choice(["auto", *EXECUTORS]),
        default="auto",
        show_default=True,
        help="What does the work: this process, processes of this machine, or a Ray cluster; results are the same.",
    )
    is_file, where = plan.leaves == "file", "File" if plan.leaves == "file" else "Folder"
    more = " and checkpoints" if plan.resumes and not is_file else ""
    out = click.Path(path_type=Path, file_okay=is_file, dir_okay=not is_file)
    resume = click.Option(["--resume"], is_flag=True, help="Continue from the last checkpoint of --out.")
    return [
        *([executor] if issubclass(plan, CellsPlan) else []),
        click.Option(["--out"], type=out, required=is_file, help=f"{where} for the result{more}."),
        *([resume] if plan.resumes else []),
        click.Option(["--json", "as_json"], is_flag=True, help=json_help),
    ]


class _Text(click.ParamType):  # type: ignore[type-arg]
    """What a setting makes of a text; its error is the plan's."""

    def __init__(self, each: Setting) -> None:
        self.setting, self.name = each, each.kind.__name__

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return self.setting.read(value) if isinstance(value, str) else value
        except KibitzError as error:
            self.fail(str(error), param, ctx)


def _metavar(each: Setting) -> str:
    if each.choices:
        return "[" + "|".join(each.choices) + "]" if len("|".join(each.choices)) < 30 else "NAME"
    return {int: "INTEGER", float: "NUMBER", Path: "PATH"}.get(each.kind, "TEXT")


def _help(each: Setting) -> str:
    """The noun phrase of the setting, the choices if the name does not list them, the default and the range."""
    unit = f", in {each.unit}" if each.unit else ""
    listed = f": one of {', '.join(each.choices)}" if each.choices and _metavar(each) == "NAME" else ""
    notes = [f"default: {each.unsaid}"] if each.unsaid else []
    if not (each.is_required or each.default is None or each.default is False or each.default in ((), "")):
        default = ", ".join(map(str, each.default)) if isinstance(each.default, tuple) else each.default
        notes.append(f"default: {default:,}" if isinstance(default, int) else f"default: {default}")
    if each.range:
        notes.append(each.range)
    if each.is_required:
        notes.append("required")
    return f"{each.help}{unit}{listed}." + (f"  [{'; '.join(notes)}]" if notes else "")
