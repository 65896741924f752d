"""The command line and the data that the package is compared with."""

import os
import shutil
import sys

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
    """Data sets in databases and as tables, which are made once for all tests."""
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


@pytest.fixture(scope="session")
def spark_session(tmp_path_factory):
    """Two workers, three attempts, and batches of seven rows, which cut persons."""
    from pyspark.sql import SparkSession

    if shutil.which("java") is None and "JAVA_HOME" not in os.environ and "CI" not in os.environ:
        pytest.skip("there is no java, which Spark needs; on Debian: apt-get install openjdk-17-jre-headless")
    folder = tmp_path_factory.mktemp("spark")
    settings = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.local.dir": str(folder / "scratch"),
        "spark.log.level": "OFF",
        "spark.sql.adaptive.coalescePartitions.enabled": "false",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "7",
        "spark.sql.session.timeZone": "America/St_Johns",
        "spark.sql.shuffle.partitions": "3",
        "spark.sql.warehouse.dir": str(folder / "tables"),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    builder = SparkSession.builder.master("local[2, 3]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    # Workers use the Python of the tests.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = builder.getOrCreate()
    yield session
    session.stop()
