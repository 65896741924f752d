"""The command line and the data that the package is compared with."""

import os
import pathlib
import subprocess

import pyarrow.csv
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The days of the compared runs; those of the sample and of the generated people.
FIRST, LAST = "2026-03-03", "2026-06-30"


class CommandLine:
    """The executable that the tests of the engine have built, on a database of its own."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.program = os.environ.get("VIGIL_PROGRAM", str(ROOT / ".build/debug/vigil"))

    def run(self, *arguments: str) -> None:
        self.output(*arguments)

    def output(self, *arguments: str) -> str:
        """What the command prints."""
        database = {"VIGIL_DATABASE": f"sqlite:{self.folder}/vigil.sqlite"}
        return subprocess.run(
            [self.program, *arguments, "--quiet"], cwd=self.folder,
            env={**os.environ, **database}, check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="session")
def command_line(tmp_path_factory):
    def make(name: str) -> CommandLine:
        return CommandLine(tmp_path_factory.mktemp(name))

    return make


@pytest.fixture(scope="session")
def sample():
    """The daily values of the sample in the repository."""
    return pyarrow.csv.read_csv(ROOT / "datasets/sample/wearable_daily_metrics.csv")


@pytest.fixture(scope="session")
def workouts():
    return pyarrow.csv.read_csv(ROOT / "datasets/sample/exercise_sessions.csv")
