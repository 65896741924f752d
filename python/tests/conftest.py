"""The command line and the data that the package is compared with."""

import pyarrow.csv
import pytest

pytest.register_assert_rewrite("comparison")

from comparison import ROOT, VALUES, WORKOUTS, AlertData, CommandLine  # noqa: E402


@pytest.fixture(scope="session")
def command_line(tmp_path_factory):
    def make(name: str) -> CommandLine:
        return CommandLine(tmp_path_factory.mktemp(name))

    return make


@pytest.fixture(scope="session")
def alert_data(command_line):
    """Data sets with the command line's alerts, which are made once for all tests."""
    made = {}

    def get(name: str) -> AlertData:
        if name not in made:
            made[name] = AlertData(command_line(name), name)
        return made[name]

    return get


@pytest.fixture(scope="session")
def sample():
    """The daily values of the sample in the repository."""
    return pyarrow.csv.read_csv(ROOT / "datasets/sample" / VALUES)


@pytest.fixture(scope="session")
def workouts():
    return pyarrow.csv.read_csv(ROOT / "datasets/sample" / WORKOUTS)
