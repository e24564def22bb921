"""Plan, run, artefact: what is wanted, the work, and what is kept. One driver carries out every plan."""

from kibitz.plans.artefacts import Artefact, ArtefactError, fingerprint_of, open_artefact, save_artefact
from kibitz.plans.carry_out import carry_out, check_folder
from kibitz.plans.cells import Cells, CellsPlan
from kibitz.plans.plan import HERE, Means, Plan, Report, Run
from kibitz.plans.settings import Setting, setting, settings_of

__all__ = [
    "HERE",
    "Artefact",
    "ArtefactError",
    "Cells",
    "CellsPlan",
    "Means",
    "Plan",
    "Report",
    "Run",
    "Setting",
    "carry_out",
    "check_folder",
    "fingerprint_of",
    "open_artefact",
    "save_artefact",
    "setting",
    "settings_of",
]
