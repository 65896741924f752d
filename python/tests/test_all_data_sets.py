"""Detection, explanations, evaluation and comparison are those of the command line, on all data sets that are at hand.

The sample has doses, check-ins, sensitivities, limits and refills, too.
"""

import datetime
import json
import random
import re

import polars
import pytest

import vigil
from comparison import CommandLine, read
from data_sets import BROKEN_DOSE_FEED, BROKEN_FEED, PUBLIC, data_named
from dose_data import NOW, TABLES
from dumps import differences, dump
from test_check_ins import check_ins_and_plans
from test_compare import assert_same_comparison, assert_same_evaluation
from test_explain import OF_THE_COMMAND_LINE, assert_same, plain

pytestmark = [
    pytest.mark.filterwarnings("ignore::vigil.DataWarning"),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas")]

NAMES = ["sample-with-doses", "broken-feeds", *PUBLIC, "adherence_eamd"]
ARGUMENTS = {"sensitivity_overrides": "sensitivities", "person_limits": "limits"}
LIMITS = [
    ("resting_hr", "above", [66, 72]), ("resting_hr", "below", [50, 54]),
    ("steps", "below", [2000, 4000]), ("sleep_minutes", "below", [300.5, 360])]
OF_LIMITS = ["critical_value_below", "critical_value_above"]
SILENCE = ["inactivity", "check_in_overdue"]
# The command line has sentences and what a database knows, and the library how an episode changed.
OF_SILENCE = OF_THE_COMMAND_LINE - {"unit"}


class Compared:
    """A data set in a database that was evaluated, and as tables."""

    def __init__(self, name, command):
        self.command, self.data = command, data_named(name, command)
        if name == "sample-with-doses":
            self._add_inputs()
        if self.data.folder is not None:
            self.data.import_into(command)
        since, until = self.data.days
        command.run(
            "backfill", "--from", since, "--to", until, "--thresholds", "v3", "--now", NOW)
        self.alerts = polars.read_csv(command.export("alerts"), infer_schema=False)
        self.inputs = {name: read(file) for name, file in self.data.files.items()}
        self.inputs.pop("birth_dates", None)
        self.values = self.inputs.pop("observations", None)
        if self.values is None:
            self.values = polars.DataFrame(
                schema={"person": str, "date": polars.Date, "steps": polars.Float64})
        self.inputs["evaluated_at"] = NOW
        self.days = dict(zip(["since", "until"], self.data.days))

    def _add_inputs(self):
        """Gives the sample what it has not: check-ins, sensitivities, limits and counted tablets that expire."""
        folder, choose = self.data.folder, random.Random(3)
        persons = read(self.data.files["observations"])["user_id"].unique().to_pylist()
        check_ins, plans = check_ins_and_plans(persons[::3])
        metrics = ["steps", "hrv_ms", "combined", "dose_adherence_pct", "missed_streak", "inactivity"]
        sensitivities = [
            {"user_id": person, "metric_type": metric,
             "sensitivity": choose.choice(["off", "lower", "higher"])}
            for person in persons for metric in metrics if choose.random() < 0.3]
        limits = [
            {"user_id": person, "metric_type": metric, "direction": direction,
             "limit_value": choose.choice(values), "days": choose.choice([1, 2, 3]),
             "severity": choose.choice(["watch", "attention", "critical"]),
             "starts_on": choose.choice(["2026-03-01", "2026-05-01"]),
             "ends_on": choose.choice(["2026-06-10", "2026-12-31"]), "set_by": "Dr. Lee"}
            for person in persons for metric, direction, values in LIMITS if choose.random() < 0.5]
        tables = {
            "check_ins": polars.from_arrow(check_ins), "check_in_plans": polars.from_arrow(plans),
            "sensitivity_overrides": polars.DataFrame(sensitivities),
            "person_limits": polars.DataFrame(limits)}
        for name, table in tables.items():
            table.write_csv(folder / f"{name}.csv", datetime_format="%Y-%m-%dT%H:%M:%SZ")
            argument = ARGUMENTS.get(name, name)
            self.data.files[argument] = folder / f"{name}.csv"
        file = self.data.files["medications"]
        polars.read_csv(file, infer_schema=False).with_columns(
            refill_reminder_enabled=polars.lit("true"), refill_remaining_quantity=polars.lit("60"),
            refill_counted_at=polars.lit("2026-05-01T00:00:00Z"),
            refill_reminder_days=polars.lit("10"), expires_on=polars.lit("2026-06-20"),
            missed_after_minutes=polars.lit("30")).write_csv(file)


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    made = {}

    def get(name):
        if name not in made:
            made[name] = Compared(name, CommandLine(tmp_path_factory.mktemp(name)))
        return made[name]

    return get


@pytest.mark.parametrize("name", NAMES)
def test_the_same_is_detected(compared, name):
    own = compared(name)
    found = vigil.detect(own.values, **own.inputs, **own.days).to_polars()
    schema = {name: kind for name, kind in found.schema.items() if name in own.alerts.schema}
    assert differences(dump(found, schema, 10), dump(own.alerts, schema, 10)) == []
    assert found.height > 0
    kinds = set(found["metric_type"])
    if name == "sample-with-doses":
        assert kinds >= {"steps", "dose_adherence_pct", "refill_due", "expiry_due", "check_in_overdue", "combined"}
        assert set(found["pattern_type"]) >= set(OF_LIMITS)


def test_a_broken_feed_that_is_not_found_can_be_given(compared):
    """Where the rows of each person come together, few people are there to count."""
    own = compared("broken-feeds")
    schema = own.alerts.schema

    def dumped(**options):
        inputs = {**own.inputs, **own.days, **options}
        rows = vigil.detect(own.values.sort_by("user_id"), **inputs).to_polars()
        return dump(rows, {name: kind for name, kind in rows.schema.items() if name in schema}, 10)

    found = dumped()
    for feed in ("broken_feed", "broken_dose_feed"):
        assert differences(dumped(**{feed: []}), found) != [], feed
    given = vigil.broken_days(own.values, **own.inputs, **own.days)
    # The first two days are not known to be of a break, and on the two days after it devices are synchronised late.
    days = given["broken_feed"]
    assert [str(days[0] - datetime.timedelta(days=2)), str(days[-1] - datetime.timedelta(days=2))] == (
        list(BROKEN_FEED))
    days = given["broken_dose_feed"]
    assert [str(days[0]), str(days[-1])] == list(BROKEN_DOSE_FEED)
    assert differences(dumped(together=True, **given), found) == []
    assert differences(dumped(together=True), found) != []


@pytest.mark.parametrize("function, batch", [("detect", 7), ("detect", 1000), ("detect_by_person", 1000)])
@pytest.mark.parametrize("name", ["sample-with-doses", "broken-feeds"])
def test_spark_detects_the_same(compared, spark_session, name, function, batch):
    from vigil import spark as vigil_spark

    own = compared(name)
    broken = vigil.broken_days(own.values, **own.inputs, **own.days)
    frames = {
        name: table if isinstance(table, str) else spark_session.createDataFrame(table)
        for name, table in own.inputs.items()}
    spark_session.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", str(batch))
    found = getattr(vigil_spark, function)(
        spark_session.createDataFrame(own.values), **frames, **own.days, **broken).toArrow()
    spark_session.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "7")
    found = polars.from_arrow(found)
    schema = {name: kind for name, kind in found.schema.items() if name in own.alerts.schema}
    assert differences(dump(found, schema, 10), dump(own.alerts, schema, 10)) == []


def days_to_explain(own):
    """Days before, in and at the end of an alert of each metric."""
    alerts = own.alerts.filter(
        polars.col("medication_id").is_null() & ~polars.col("pattern_type").is_in(OF_LIMITS))
    for (metric,), rows in alerts.sort("active_since", "id").group_by(
            "metric_type", maintain_order=True):
        for alert in rows.head(2).iter_rows(named=True):
            opened = datetime.date.fromisoformat(alert["opened_on"] or alert["active_since"])
            days = [opened + datetime.timedelta(days=days) for days in (-1, 0, 4)]
            last = datetime.date.fromisoformat(own.data.days[1])
            for day in days:
                if datetime.date.fromisoformat(own.data.days[0]) < day <= last:
                    yield alert["user_id"], metric, day


@pytest.mark.parametrize("name", NAMES)
def test_the_same_is_explained(compared, name, tmp_path):
    own = compared(name)
    changes = set()
    for person, metric, day in days_to_explain(own):
        drawing = tmp_path / "drawing.svg"
        chart = plotted(own, person, metric, until=day)
        expected = json.loads(own.command.output(
            "explain", "--user", person, "--metric", metric, "--date", str(day), "--format", "json",
            *(["--svg", str(drawing), "--force"] if chart else [])))
        found = vigil.explain(
            own.values, person, metric, day, since=own.data.days[0], **own.inputs)
        changes.add((metric, found.change))
        document, of_one = plain(found), OF_SILENCE if metric in SILENCE else OF_THE_COMMAND_LINE
        assert document.pop("person") == person
        if metric in SILENCE:
            for key in expected.keys() ^ document.keys():
                document.pop(key, None)
        document.pop("unit", None)
        assert_same(
            document, {key: expected[key] for key in expected if key not in of_one},
            f"{metric} of {person} on {day}")
        if chart:
            assert shapes(chart.svg) == shapes(drawing.read_text()), f"{metric} of {person} on {day}"
    assert len(changes) > 1
    if name == "sample-with-doses":
        assert {metric for metric, _ in changes} >= {
            "dose_adherence_pct", "check_in_overdue", "combined"}


def test_limits_are_explained_and_drawn_the_same(compared, tmp_path):
    own, drawing = compared("sample-with-doses"), tmp_path / "drawing.svg"
    alerts = own.alerts.filter(polars.col("pattern_type").is_in(OF_LIMITS)).sort("active_since", "id")
    changes = set()
    for alert in alerts.head(20).iter_rows(named=True):
        limit = alert["pattern_type"].removeprefix("critical_value_")
        metric, person = alert["metric_type"], alert["user_id"]
        for day in {alert["opened_on"], alert["resolved_on"] or own.data.days[1]}:
            expected = json.loads(own.command.output(
                "explain", "--user", person, "--metric", metric, "--limit", limit, "--date", day,
                "--svg", str(drawing), "--force", "--format", "json"))
            found = vigil.explain(
                own.values, person, metric, day, since=own.data.days[0], limit=limit, **own.inputs)
            changes.add(found.change)
            document = plain(found)
            assert document.pop("person") == person
            document.pop("unit")
            assert_same(
                document, {key: expected[key] for key in expected if key not in OF_THE_COMMAND_LINE},
                f"{metric} {limit} of {person} on {day}")
            chart = vigil.plot(own.values, person, metric, until=day, limit=limit, **own.inputs)
            assert shapes(chart.svg) == shapes(drawing.read_text())
    assert {"opened", "resolved"} <= changes


def plotted(own, person, metric, **options):
    """A drawing; None where several metrics together have no history that says what is usual."""
    try:
        return vigil.plot(own.values, person, metric, **options, **own.inputs)
    except vigil.VigilError:
        if metric == "combined":
            return None
        raise


def shapes(svg):
    """What a drawing shows besides texts, which name metrics in other words."""
    found = re.findall("<(?:path|rect|line) [^>]*>", svg)
    assert found
    return found


@pytest.mark.parametrize("name", ["sample-with-doses", "adherence_eamd"])
def test_the_doses_of_a_medication_are_explained_the_same(compared, name):
    own = compared(name)
    alerts = own.alerts.filter(polars.col("medication_id").is_not_null()).sort("active_since", "id")
    tables = {name: own.inputs[name] for name in TABLES[:-1] if name in own.inputs}
    doses = own.inputs["doses"]
    outcomes = set()
    for (kind,), rows in alerts.group_by("metric_type", maintain_order=True):
        for alert in rows.head(4).iter_rows(named=True):
            person, medication, day = (
                alert[key] for key in ["user_id", "medication_id", "active_since"])
            expected = json.loads(own.command.output(
                "explain", "--user", person, "--medication", medication, "--date", day, "--format",
                "json"))
            found = vigil.explain_doses(doses, person, medication, day, **tables)
            outcomes |= {dose.outcome for dose in found.doses}
            document = plain(found)
            del document["person"], document["medication"]
            assert_same(
                document, {key: expected[key] for key in document},
                f"{kind} of {medication} on {day}")
    assert outcomes >= {"taken", "missed"}


@pytest.mark.parametrize("name", NAMES)
def test_the_evaluation_is_the_same(compared, name, tmp_path):
    own = compared(name)
    # Some changes that were found, later than they began, and others that never happened.
    alerts = own.alerts.filter(
        polars.col("medication_id").is_null() & ~polars.col("metric_type").is_in(
            [*SILENCE, "combined"]))
    labels = alerts.sort("id").gather_every(3).select(
        "user_id", "metric_type", first_day="active_since", last_day="active_since")
    shifted = (polars.col("first_day").str.to_date() + polars.duration(days=20)).cast(str)
    labels = polars.concat([labels, labels.with_columns(first_day=shifted, last_day=shifted)])
    labels = labels.filter(polars.col("last_day") <= own.data.days[1])
    assert labels.height > 0
    file = tmp_path / "labels.csv"
    labels.write_csv(file)
    expected = json.loads(own.command.output(
        "evaluate", "--labels", str(file), "--labels-complete", "--format", "json"))
    found = vigil.evaluate(own.values, read(file), **own.inputs, **own.days).to_arrow()
    assert_same_evaluation(found.to_pylist(), expected)


@pytest.mark.parametrize("profiles", [("v1", "v3"), ("v3", "v3-strict")])
@pytest.mark.parametrize("name", NAMES)
def test_the_comparison_is_the_same(compared, name, profiles):
    own = compared(name)
    since, until = own.data.days
    expected = json.loads(own.command.output(
        "compare", "--thresholds", profiles[0], "--thresholds", profiles[1], "--from", since, "--to",
        until, "--limit", "0", "--now", NOW, "--format", "json"))
    found = vigil.compare(own.values, *profiles, **own.inputs, **own.days).to_polars()
    assert_same_comparison(found, expected)
    kinds = set(found["metric_type"])
    if name == "sample-with-doses":
        assert kinds >= {"steps", "check_in_overdue"} and set(found["pattern_type"]) >= set(OF_LIMITS)
