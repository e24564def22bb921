"""Plan, run, artefact: what is wanted, the work, and what is kept. One driver carries out every plan."""

from kibitz.plans.artefacts import (
    MANIFEST,
    Artefact,
    ArtefactError,
    files_of,
    fingerprint_of,
    kind_of,
    open_artefact,
    read_manifest,
    save_artefact,
)
from kibitz.plans.carry_out import carry_out, check_folder, read_curve
from kibitz.plans.cells import Cells, CellsPlan
from kibitz.plans.plan import HERE, Means, Plan, Report, Row, Run, rows_of
from kibitz.plans.settings import Setting, setting, settings_of

__all__ = [
    "HERE",
    "MANIFEST",
    "Artefact",
    "ArtefactError",
    "Cells",
    "CellsPlan",
    "Means",
    "Plan",
    "Report",
    "Row",
    "Run",
    "Setting",
    "carry_out",
    "check_folder",
    "files_of",
    "fingerprint_of",
    "kind_of",
    "open_artefact",
    "read_curve",
    "read_manifest",
    "rows_of",
    "save_artefact",
    "setting",
    "settings_of",
]
