"""Plan, run, artefact: what is wanted, the work, and what is kept. One driver carries out every plan."""

from kibitz.plans.artefacts import (
    MANIFEST,
    Artefact,
    ArtefactError,
    as_json,
    files_of,
    fingerprint_of,
    holds_run,
    in_metadata,
    kind_of,
    open_artefact,
    read_manifest,
    save_artefact,
)
from kibitz.plans.carry_out import carry_out, read_curve, write_curve
from kibitz.plans.cells import Cells, CellsPlan
from kibitz.plans.checkpoints import CURVE, check_folder
from kibitz.plans.plan import HERE, Means, Plan, Report, Row, Run, rows_of
from kibitz.plans.settings import Setting, on_threads, seed_for, setting, settings_of

__all__ = [
    "CURVE",
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
    "as_json",
    "carry_out",
    "check_folder",
    "files_of",
    "fingerprint_of",
    "holds_run",
    "in_metadata",
    "kind_of",
    "on_threads",
    "open_artefact",
    "read_curve",
    "read_manifest",
    "rows_of",
    "save_artefact",
    "seed_for",
    "setting",
    "settings_of",
    "write_curve",
]
