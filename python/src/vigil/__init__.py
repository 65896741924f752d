"""Vigil: pattern alerts and adherence from the daily metrics and doses of people.

>>> import vigil
>>> days = [f"2026-05-{day:02}" for day in range(1, 29)]
>>> rows = pyarrow.table(
...     {"person": ["anna"] * 28, "date": days, "steps": [8000.0] * 22 + [2000.0] * 6})
>>> alerts = vigil.detect(rows, profile="v1").to_arrow()
>>> alerts.select(["person", "metric_type", "active_since", "current_level"]).to_pylist()
[{'person': 'anna', 'metric_type': 'steps', 'active_since': datetime.date(2026, 5, 21), 'current_level': 7}]
"""

from ._compare import compare, evaluate
from ._detect import Detector, broken_days, detect
from ._doses import adherence
from ._evaluator import Profile
from ._explain import Chart, explain, explain_doses, plot
from ._explanation import (
    CombinedExplanation,
    DoseExplanation,
    Explanation,
    LimitExplanation,
    SilenceExplanation,
)
from ._inputs import UnusableRowsWarning
from ._library import VigilError, library_version
from ._notes import DataWarning
from ._scores import insights, scores
from ._series import SeriesDetector
from ._table import Table

__version__ = "0.1.0"

__all__ = [
    "Chart",
    "CombinedExplanation",
    "DataWarning",
    "Detector",
    "DoseExplanation",
    "Explanation",
    "LimitExplanation",
    "Profile",
    "SeriesDetector",
    "SilenceExplanation",
    "Table",
    "UnusableRowsWarning",
    "VigilError",
    "adherence",
    "broken_days",
    "compare",
    "detect",
    "evaluate",
    "explain",
    "explain_doses",
    "insights",
    "library_version",
    "plot",
    "scores",
]
