"""Who may import whom: arrows point up the list of layers, and compilers wait until they are needed."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import kibitz

ROOT = Path(kibitz.__file__).parent

# A layer may import from layers before it and from itself; layers on one line know nothing of each other.
LAYERS = """
errors
arguments amounts progress files statistics compiling bandits coverage
random lanes clustering
parallel
plans
cards
isomorphism
evaluator
equity
games
abstraction
tree
deals
strategy
io translation
policy
solvers
spots
responses
bet_sizing training
modelling learning
agents
arena
pools
portfolios
testing
experiments
public
web
cli
"""
PLACE = {layer: place for place, line in enumerate(LAYERS.split("\n")) for layer in line.split()}
NUMBA_IS_WELCOME = ("kibitz.compiling.cache", "kibitz.compiling.helpers")  # and kernels


def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    names = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = ["kibitz", *path.relative_to(ROOT).with_suffix("").parts]
        names[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return names


def is_kernel(module: str) -> bool:
    """Whether a module is compiled: `_kernels`, or one of a package of that name."""
    return "_kernels" in module.split(".")


@cache
def parsed(text: str) -> ast.Module:
    """The syntax of a module, which several tests look at."""
    return ast.parse(text)


def imported(module: str, path: Path) -> Iterator[tuple[str, int]]:
    """The modules that `module` imports anywhere in its text, functions included, each with its line."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(parsed(path.read_text())):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = ".".join(filter(None, [*package.split(".")[: len(package.split(".")) - node.level + 1], base]))
            if base == "kibitz":  # `from kibitz import cards` imports a module, `from kibitz import __version__` none
                yield from ((f"kibitz.{alias.name}", node.lineno) for alias in node.names)
            else:
                yield base, node.lineno


def layer_of(module: str) -> str:
    """`kibitz.games.state` is of the layer `games`; the package itself is of none."""
    return module.split(".")[1] if "." in module else ""


def wrong_arrows(names: dict[str, Path]) -> list[str]:
    """A line for every import that points down the list."""
    wrong = []
    for module, path in names.items():
        source = layer_of(module)
        for target_module, line in imported(module, path):
            target = layer_of(target_module)
            if target_module.split(".")[0] != "kibitz" or target in ("", source) or target.startswith("__"):
                continue
            if source and target in PLACE and source in PLACE and PLACE[target] < PLACE[source]:
                continue
            wrong.append(f"{path.relative_to(ROOT.parent)}:{line}: {source or 'kibitz'} -> {target}")
    return wrong


def test_every_module_has_its_layer():
    layers = {layer_of(module) for module in modules()} - {"", "__main__"}
    strangers = sorted(layers - PLACE.keys())
    assert not strangers, f"{strangers}: where do they stand in the list of layers? {' '.join(PLACE)}"


def test_imports_point_up_the_list_of_layers():
    names = modules()
    assert "kibitz.games.state" in names
    wrong = wrong_arrows(
        {module: path for module, path in names.items() if module not in ("kibitz", "kibitz.__main__")}
    )
    assert not wrong, "these imports point down the list of layers:\n  " + "\n  ".join(wrong)


def test_a_wrong_arrow_would_be_seen(tmp_path, monkeypatch):
    """The test can fail: on imports in functions, relative imports, and modules taken from the package."""
    package = tmp_path / "kibitz"
    texts = {
        "cards.py": "def late():\n    from kibitz.games.game import Game\n",
        "errors.py": "from kibitz import cards\n",
        "games/__init__.py": "from ..agents import Agent\nfrom .game import Game\nfrom kibitz import __version__\n",
        "games/game.py": "import kibitz.cli.deal\nimport kibitz.cards\nimport numpy\nfrom ..tree import Tree\n",
        "web/page.py": "import kibitz.cli.deal\n",
        "cli/deal.py": "import kibitz.web.page\nfrom kibitz.games import Game\nfrom kibitz.cli import main\n",
    }
    names = {}
    for name, text in texts.items():
        path = package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        names["kibitz." + name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")] = path
    monkeypatch.setattr(sys.modules[__name__], "ROOT", package)
    assert wrong_arrows(names) == [
        "kibitz/cards.py:2: cards -> games",
        "kibitz/errors.py:1: errors -> cards",
        "kibitz/games/__init__.py:1: games -> agents",
        "kibitz/games/game.py:1: games -> cli",
        "kibitz/games/game.py:4: games -> tree",
        "kibitz/web/page.py:1: web -> cli",
    ]


def at_module_level(node: ast.AST) -> Iterator[ast.AST]:
    """What runs on import: everything but the insides of functions and of `if TYPE_CHECKING`."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        yield child
        yield from at_module_level(child)


def numba_imports(text: str) -> list[int]:
    """The lines of `text` that import numba as soon as the module is imported."""
    lines = []
    for node in at_module_level(parsed(text)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        lines += [node.lineno for name in names if name.split(".")[0] == "numba"]
    return lines


def test_only_kernels_import_numba_at_module_level():
    wrong = [
        f"{path.relative_to(ROOT.parent)}:{line}"
        for module, path in modules().items()
        if not is_kernel(module) and module not in NUMBA_IS_WELCOME
        for line in numba_imports(path.read_text())
    ]
    assert not wrong, f"numba outside kernels and {' and '.join(NUMBA_IS_WELCOME)}:\n  " + "\n  ".join(wrong)


def decorators(text: str) -> list[int]:
    """The lines of `text` that take a decorator of kernels from numba itself."""
    return [
        node.lineno
        for node in ast.walk(parsed(text))
        if isinstance(node, ast.ImportFrom) and node.module == "numba"
        if {alias.name for alias in node.names} & {"jit", "njit", "vectorize", "guvectorize"}
    ]


def test_kernels_are_compiled_in_one_way():
    """By `kibitz.compiling.njit`, which says that it compiles, and survives a cache that cannot be used."""
    wrong = [f"{path}:{line}" for path in modules().values() for line in decorators(path.read_text())]
    assert not wrong, f"take njit from kibitz.compiling:\n  {wrong}"
    assert decorators("from numba import njit, prange") == [1]


def test_an_early_numba_would_be_seen():
    text = "try:\n    from numba import njit\nexcept ImportError:\n    pass\nclass A:\n    import numba.typed\n"
    assert numba_imports(text + "    def f(self):\n        import numba\n") == [2, 6]


@pytest.mark.parametrize("module", ["cards", "games", "io", "io.phh", "cli", "agents", "testing"])
def test_a_compiler_is_not_loaded_before_it_is_needed(module):
    if not any(name == f"kibitz.{module}" for name in modules()):
        pytest.skip(f"there is no kibitz.{module} yet")
    program = f"import sys, kibitz.{module}; sys.exit('numba' in sys.modules or 'llvmlite' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0, f"kibitz.{module} loads numba"
