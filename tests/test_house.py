"""Rules of the house that no linter knows: no cycles, no private names next door, few long signatures."""

import ast
from collections.abc import Iterator
from pathlib import Path

from test_imports import ROOT, at_module_level, is_kernel, modules, parsed

MOST_PARAMETERS = 6
LONG_SIGNATURES = 11  # functions outside kernels that may have more
CHANGING = ("update", "setdefault", "pop", "clear", "popitem", "__setitem__")  # methods of a dict


def module_imports(module: str, path: Path, names: dict[str, Path]) -> Iterator[tuple[str, int]]:
    """The modules among `names` that are imported as soon as `module` is, each with its line."""
    for node in at_module_level(parsed(path.read_text())):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names if alias.name in names)
        elif isinstance(node, ast.ImportFrom):
            base = source_of(module, path, node)
            for alias in node.names:  # `from kibitz.games import state` imports the module, not a name of the package
                target = f"{base}.{alias.name}" if f"{base}.{alias.name}" in names else base
                if target in names:
                    yield target, node.lineno


def source_of(module: str, path: Path, node: ast.ImportFrom) -> str:
    """The module that a `from` names, dots in front resolved."""
    if not node.level:
        return node.module or ""
    package = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    return ".".join(filter(None, [*package[: len(package) - node.level + 1], node.module or ""]))


def packages_above(target: str, module: str) -> list[str]:
    """The packages whose `__init__` runs before `target` does, those apart in which `module` is itself."""
    parts = target.split(".")
    above = [".".join(parts[:end]) for end in range(1, len(parts))]
    return [package for package in above if not f"{module}.".startswith(f"{package}.")]


def cycles(names: dict[str, Path]) -> list[str]:
    """Every set of modules that import one another at module level (Tarjan's strongly connected components)."""
    arrows = {
        module: {
            each
            for target, _line in module_imports(module, path, names)
            for each in (target, *packages_above(target, module))
            if each in names and each != module
        }
        for module, path in names.items()
    }
    found: list[str] = []
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []

    def visit(module: str) -> None:
        number[module] = low[module] = len(number)
        stack.append(module)
        for target in sorted(arrows[module]):
            if target not in number:
                visit(target)
                low[module] = min(low[module], low[target])
            elif target in stack:
                low[module] = min(low[module], number[target])
        if low[module] == number[module]:
            component = stack[stack.index(module) :]
            del stack[stack.index(module) :]
            if len(component) > 1:
                found.append(" <-> ".join(sorted(component)))

    for module in sorted(arrows):
        if module not in number:
            visit(module)
    return found


def private_names(names: dict[str, Path]) -> list[str]:
    """A line for every `_name` taken from a package by a module outside it; kernels may be imported by their file."""
    wrong = []
    for module, path in names.items():
        for node in ast.walk(parsed(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                base = source_of(module, path, node)
                taken = [f"{base}.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.Import):
                taken = [alias.name for alias in node.names]
            else:
                continue
            for each in taken:
                if each.startswith("kibitz.") and each.split(".")[1] not in module.split(".")[1:2]:
                    hidden = [part for part in each.split(".") if part.startswith("_") and not part.endswith("__")]
                    if any(part != "_kernels" for part in hidden):
                        wrong.append(f"{place(path)}:{node.lineno}: {each}")
    return wrong


def dict_writes(text: str) -> list[int]:
    """The lines that write into an object's `__dict__`, behind the back of its class."""
    lines = []
    for node in ast.walk(parsed(text)):
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Delete):
            targets = node.targets if isinstance(node, ast.Assign | ast.Delete) else [node.target]
            lines += [node.lineno for target in targets if "__dict__" in ast.unparse(target)]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
            of = ast.unparse(node.func.value)
            lines += [node.lineno] * (of.endswith("__dict__") or of.startswith("vars("))
    return lines


def long_signatures(text: str) -> list[tuple[int, str, int]]:
    """Functions with more than six parameters: line, name, how many; commands of click take what they are given."""
    found = []
    for node in ast.walk(parsed(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not is_command(node):
            of = node.args
            every = [*of.posonlyargs, *of.args, *of.kwonlyargs, *filter(None, (of.vararg, of.kwarg))]
            count = len([each for each in every if each.arg not in ("self", "cls")])
            if count > MOST_PARAMETERS:
                found.append((node.lineno, node.name, count))
    return found


def is_command(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function is a command, whose parameters are its options."""
    return any("command(" in ast.unparse(each) for each in node.decorator_list)


def place(path: Path) -> str:
    return str(path.relative_to(ROOT.parent)) if path.is_relative_to(ROOT.parent) else path.name


def test_no_modules_import_one_another():
    found = cycles(modules())
    assert not found, "import cycles:\n  " + "\n  ".join(found)


def test_private_names_stay_in_their_package():
    found = private_names(modules())
    assert not found, "private names of other packages:\n  " + "\n  ".join(found)


def test_nobody_writes_into_a_dict_of_attributes():
    found = [f"{place(path)}:{line}" for path in modules().values() for line in dict_writes(path.read_text())]
    assert not found, "writes into __dict__:\n  " + "\n  ".join(found)


def test_few_functions_have_many_parameters():
    found = [
        f"{place(path)}:{line}: {name} has {count}"
        for module, path in modules().items()
        if not is_kernel(module)
        for line, name, count in long_signatures(path.read_text())
    ]
    assert len(found) <= LONG_SIGNATURES, f"{len(found)} functions with many parameters:\n  " + "\n  ".join(found)


def made(folder: Path, **texts: str) -> dict[str, Path]:
    """Modules of a package kibitz with those texts, by name: `a__b` is kibitz.a.b."""
    names = {}
    for name, text in texts.items():
        path = folder / "kibitz" / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        names[f"kibitz.{name.replace('__', '.')}"] = path
    return names


def test_a_cycle_would_be_seen(tmp_path):
    late = "def f():\n    import kibitz.a.one\nif TYPE_CHECKING:\n    from kibitz.a import one\n"
    names = made(tmp_path, a__one="from kibitz.b import two\n", b__two="import kibitz.c\n", c="from .a.one import x\n")
    assert cycles(names) == ["kibitz.a.one <-> kibitz.b.two <-> kibitz.c"]
    assert cycles(made(tmp_path, a__one="from kibitz.b import two\n", b__two=late)) == []
    through = made(tmp_path, a__one="from kibitz.b.two import x\n", b__two="")
    through["kibitz.b"] = tmp_path / "kibitz" / "b" / "__init__.py"
    through["kibitz.b"].write_text("from kibitz.a.one import x\n")
    assert cycles(through) == ["kibitz.a.one <-> kibitz.b"]


def test_a_private_name_next_door_would_be_seen(tmp_path):
    taken = (
        "from kibitz.b.two import _x, y\nfrom kibitz.b._kernels import z\nfrom ..b import _three\nimport kibitz.b._q\n"
    )
    own = "from kibitz.b.two import _x\nfrom kibitz import __version__\nfrom numpy import _core\n"
    found = private_names(made(tmp_path, a__one=taken, b__own=own))
    assert [each.split(": ")[1] for each in found] == ["kibitz.b.two._x", "kibitz.b._three", "kibitz.b._q"]


def test_a_write_into_a_dict_of_attributes_would_be_seen():
    text = (
        'a.__dict__["x"] = 1\nself.__dict__.update(x=1)\nvars(a).update(x=1)\nprint(a.__dict__["x"])\nvars(a).items()\n'
    )
    assert dict_writes(text) == [1, 2, 3]


def test_a_long_signature_would_be_seen():
    text = "def f(a, b, c, d, e, g, *, h): ...\ndef k(self, a, b, c, d, e, g): ...\n"
    text += "@click.command()\ndef c(a, b, c, d, e, g, h): ...\n"
    assert long_signatures(text) == [(1, "f", 7)]
