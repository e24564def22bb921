"""Write the figures of docs/background/robust-responses.md from the results that come with the package.

python scripts/bard_plots.py
"""

from pathlib import Path

from kibitz.experiments import find_experiments
from kibitz.experiments.published import Effort
from kibitz.files import write_text

FIGURES = ("figure-4.2", "figure-4.3", "figure-4.4", "figure-4.5")
FOLDER = Path(__file__).parent.parent / "docs" / "background"


def main() -> None:
    for name, experiment in find_experiments("bard2016", FIGURES).items():
        picture = experiment.at(Effort()).picture
        assert picture is not None
        write_text(FOLDER / f"bard-{name}.svg", picture())


if __name__ == "__main__":
    main()
