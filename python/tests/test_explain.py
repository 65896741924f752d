"""Explanations and drawings are those of the command line."""

import dataclasses
import datetime
import json
import os
import re
import xml.etree.ElementTree
from random import Random

import pyarrow
import pyarrow.compute
import pyarrow.csv
import pytest

import vigil
from vigil._library import document

SVG = {"svg": "http://www.w3.org/2000/svg"}
# What only a database knows, and words; the unit is that of the profile.
OF_THE_COMMAND_LINE = {
    "differs_from_stored", "external_id", "notifications", "opposite_sentence", "run_id", "sentence",
    "shadow_notifications", "stored_alert", "unit"}


def plain(found):
    """An explanation as a document of JSON."""
    def text(value):
        if isinstance(value, datetime.datetime):
            return value.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        return value.isoformat()

    return json.loads(json.dumps(dataclasses.asdict(found), default=text))


def assert_same(found, expected, path=""):
    if isinstance(expected, dict):
        assert set(found) == set(expected), path
        for key in expected:
            assert_same(found[key], expected[key], f"{path}.{key}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), path
        for one, other in zip(found, expected):
            assert_same(one, other, path)
    elif isinstance(expected, float):
        # A limit is looked for to nine digits.
        assert found == pytest.approx(expected, rel=1e-8, abs=1e-8), path
    else:
        assert found == expected, path


def explained(data, person, metric, day, profile):
    """The document and the drawing of the command line."""
    drawing = data.command.folder / "explained.svg"
    text = data.command.output(
        "explain", "--user", person, "--metric", metric, "--date", str(day), "--thresholds", profile,
        "--svg", str(drawing), "--force", "--format", "json")
    return json.loads(text), drawing.read_text()


def without_words(svg):
    """Without the names of metrics, which the library takes from the columns."""
    svg = re.sub("<title.*</desc>", "", svg, count=1)
    return re.sub('<text class="strong" x="0" y="13">[^<]*</text>', "", svg, count=1)


def days_of_changes(data, profile):
    """Days before, in and at the end of the longest episodes of some metrics."""
    alerts = vigil.detect(
        data.values, profile, workouts=data.workouts, **data.days).to_arrow().to_pylist()
    chosen = {}
    for alert in sorted(alerts, key=lambda alert: -alert["consecutive_true_days"]):
        if alert["metric_type"] in data.values.schema.names:
            chosen.setdefault(alert["metric_type"], alert)
    for metric, alert in list(chosen.items())[:4]:
        opened = alert["opened_on"] or alert["active_since"]
        days = [opened + datetime.timedelta(days=days) for days in (-1, 0, 4)]
        yield from ((alert["user_id"], metric, day) for day in [*days, alert["resolved_on"]] if day)


@pytest.mark.parametrize("name", ["sample", "random"])
@pytest.mark.parametrize("profile", ["v1", "v2", "v3"])
def test_figures_and_drawings_are_those_of_the_command_line(alert_data, name, profile):
    data = alert_data(name)
    changes = set()
    for person, metric, day in days_of_changes(data, profile):
        expected, drawing = explained(data, person, metric, day, profile)
        found = vigil.explain(
            data.values, person, metric, day, profile, workouts=data.workouts)
        changes.add(found.change)
        document = plain(found)
        assert document.pop("person") == person
        assert set(expected) - set(document) == OF_THE_COMMAND_LINE - {"unit"}
        document.pop("unit")
        assert_same(
            document, {key: expected[key] for key in expected if key not in OF_THE_COMMAND_LINE})
        chart = vigil.plot(
            data.values, person, metric, profile, workouts=data.workouts, until=day)
        assert without_words(chart.svg) == without_words(drawing)
    assert len(changes) > 3


@pytest.fixture(scope="module")
def ill(sample):
    """The values of a person with alerts of several metrics, and the last day of one."""
    alerts = vigil.detect(sample, "v3").to_arrow().to_pylist()
    persons = [alert["person"] for alert in alerts if alert["metric_type"] in sample.schema.names]
    person = max(persons, key=persons.count)
    return person, sample.filter(pyarrow.compute.equal(sample["user_id"], person))


def test_rows_of_others_change_nothing(sample, ill):
    person, own = ill
    for since in [None, "2026-03-03"]:
        found = vigil.explain(sample, person, "sleep_minutes", "2026-06-12", since=since)
        assert found == vigil.explain(own, person, "sleep_minutes", "2026-06-12", since=since)
    assert vigil.plot(sample, person).svg == vigil.plot(own, person).svg


def test_a_chart_has_a_strip_for_each_metric_with_an_alert(ill, tmp_path):
    person, own = ill
    chart = vigil.plot(own, person, since="2026-03-10", until="2026-06-20")
    root = xml.etree.ElementTree.fromstring(chart._repr_svg_())
    alerts = vigil.detect(own, "v3").to_arrow()
    metrics = set(alerts["metric_type"].to_pylist()) & set(own.schema.names)
    strips = root.findall("svg:g/svg:g", SVG)
    # Metrics that are worse together have strips, too.
    together = "combined" in alerts["metric_type"].to_pylist()
    assert 1 < len(metrics) and (len(metrics) < len(strips) if together else len(metrics) == len(strips))
    chart.save(tmp_path / "chart.svg")
    assert (tmp_path / "chart.svg").read_text() == chart.svg
    # No alert of the first days, so all metrics with a value.
    calm = vigil.plot(own, person, until="2026-03-10")
    root = xml.etree.ElementTree.fromstring(calm.svg)
    assert len(root.findall("svg:g/svg:g", SVG)) > len(strips)


def test_metrics_that_changed_together_are_drawn(alert_data):
    data = alert_data("random")
    found = vigil.detect(data.values, "v3", workouts=data.workouts, **data.days).to_arrow()
    alerts = [row for row in found.to_pylist() if row["metric_type"] != "inactivity"]
    persons = [row["person"] for row in alerts]
    alert = next(row for row in alerts if persons.count(row["person"]) == 1
                 and row["metric_type"] == "combined")
    expected, _ = explained(data, alert["person"], "combined", alert["opened_on"], "v3")
    metrics = [one["metric_type"] for one in expected["after"]["combined"]["contributing"]]
    chart = vigil.plot(
        data.values, alert["person"], workouts=data.workouts, until=alert["opened_on"])
    root = xml.etree.ElementTree.fromstring(chart.svg)
    titles = [re.split("[,;]", text.text)[0] for text in root.findall("svg:g/svg:text", SVG)]
    assert sorted(titles) == sorted(metric.replace("_", " ") for metric in metrics)
    # The legend has one more.
    assert chart.svg.count('class="episode"') == len(metrics) + 1 > 2


def test_names_are_escaped():
    days = [datetime.date(2026, 5, 1) + datetime.timedelta(days=day) for day in range(28)]
    name = 'a "<&\\\u0001>" é'
    rows = pyarrow.table({"person": [name] * 28, "date": days, "steps": [8000.0] * 28})
    assert vigil.explain(rows, name, "steps", days[-1]).person == name
    xml.etree.ElementTree.fromstring(vigil.plot(rows, name).svg)


EXTREMES = [
    0.0, -0.0, 5e-324, 1e-300, -3.0, 1e12, 1e15, 9.9e99, 1e100, -1e100, float("inf"), float("-inf"),
    float("nan"), None]
WILD = {"version": "wild", "metrics": {
    "steps": {"unit": "<u>", "pattern_type": "drop_vs_baseline",
              "rules": [{"percent_drop_at_least": 0.1}]},
    "hrv_ms": {"unit": "ms", "pattern_type": "rise_vs_baseline",
               "rules": [{"absolute_rise_at_least": 1e-9}]}}}


@pytest.mark.parametrize("seed", range(600 if os.environ.get("VIGIL_LONG_TESTS") else 20))
def test_extreme_values_are_explained_and_drawn(seed):
    random = Random(seed)
    first = random.choice([datetime.date(1, 1, 1), datetime.date(2026, 1, 1)])
    days = [first + datetime.timedelta(days=day) for day in sorted(random.sample(range(60), 30))]
    pool = random.sample(EXTREMES, 3)
    rows = pyarrow.table({"person": ["anna"] * 30, "date": days, **{
        metric: pyarrow.array(
            [random.choice(pool) if random.random() < 0.5 else random.uniform(400, 450) for _ in days],
            pyarrow.float64())
        for metric in ["steps", "hrv_ms"]}})
    profile = random.choice(["v1", "v2", "v3", WILD])
    day = random.choice(days)
    found = vigil.explain(rows, "anna", "steps", day, profile)
    assert (found.date, found.metric_type) == (day, "steps")
    chart = vigil.plot(rows, "anna", "hrv_ms", profile, until=day)
    xml.etree.ElementTree.fromstring(chart.svg)


@pytest.mark.parametrize("options, words", [
    ({"person": "nobody"}, 'no rows of person "nobody"'),
    ({"metric": "energy"}, 'has no metric "energy" of days; it has'),
    ({"metric": "combined", "profile": "v1"}, 'does not follow "combined"; v3 does'),
    ({"metric": "hrv_ms"}, 'no column "hrv_ms"; the columns of metrics are steps'),
])
def test_what_cannot_be_explained_is_refused(ill, options, words):
    person, own = ill[0], ill[1].drop(["hrv_ms"])
    arguments = {"person": person, "metric": "steps", **options}
    with pytest.raises(vigil.VigilError, match=words):
        vigil.explain(own, day="2026-06-12", **arguments)
    with pytest.raises(vigil.VigilError, match=words):
        vigil.plot(own, **arguments)


def test_days_that_cannot_be_drawn_are_refused(ill):
    person, own = ill
    with pytest.raises(vigil.VigilError, match="cannot be drawn"):
        vigil.plot(own, person, since="2026-06-12", until="2026-06-01")
    with pytest.raises(vigil.VigilError, match="there is nothing to draw"):
        vigil.plot(own, person, since="2020-06-01", until="2020-06-12")
    with pytest.raises(vigil.VigilError, match="more than 40000"):
        vigil.explain(own, person, "steps", "9999-01-01")


def test_too_few_metrics_are_not_explained_together(ill):
    person, own = ill[0], ill[1].select(["user_id", "metric_date", "source", "steps"])
    for function, day in [(vigil.explain, {"day": "2026-06-12"}), (vigil.plot, {})]:
        with pytest.raises(vigil.VigilError, match="too few metrics"):
            function(own, person, "combined", **day)
    off = pyarrow.table({"person": [person], "metric_type": ["combined"], "sensitivity": ["off"]})
    with pytest.raises(vigil.VigilError, match='turns "combined" off'):
        vigil.explain(ill[1], person, "combined", "2026-06-12", sensitivities=off)


def test_silence_and_limits_are_drawn_where_they_have_an_alert():
    days = [datetime.date(2026, 3, 1) + datetime.timedelta(days=day) for day in range(80)]
    rates = [60.0] * 77 + [70.0] * 3
    rows = pyarrow.table({"person": ["anna"] * 80, "date": days, "resting_hr": rates})
    limits = pyarrow.table({
        "person": ["anna"], "metric_type": ["resting_hr"], "direction": ["above"],
        "limit_value": [66.0], "starts_on": ["2026-03-01"], "ends_on": ["2026-12-31"]})

    def titles(**options):
        chart = vigil.plot(rows, "anna", **options)
        root = xml.etree.ElementTree.fromstring(chart.svg)
        return [re.split("[,;]", text.text)[0] for text in root.findall("svg:g/svg:text", SVG)]

    assert "inactivity" in titles(until=days[-1] + datetime.timedelta(days=10))
    assert "resting hr above a limit" in titles(limits=limits)
    assert not {"inactivity", "resting hr above a limit"} & set(titles(until=days[60], limits=limits))


@pytest.fixture(scope="module")
def tablets():
    """The tables of one medication, which is taken every second day."""
    days = [f"2026-06-{day:02}" for day in range(1, 22, 2)]
    return {
        "medications": pyarrow.table({"id": ["tablets"], "person": ["anna"], "start_date": ["2026-06-01"]}),
        "schedules": pyarrow.table({
            "id": ["mornings"], "medication_id": ["tablets"], "type": ["timeBased"],
            "reference_timezone": ["UTC"], "start_date": ["2026-06-01"],
            "time_based_times": ['["08:00"]']}),
        "doses": pyarrow.table({
            "medication_id": ["tablets"] * len(days), "schedule_id": ["mornings"] * len(days),
            "status": ["taken"] * len(days), "recorded_timezone": ["UTC"] * len(days),
            "actual_time": [f"{day}T08:10:00Z" for day in days]})}


def test_doses_are_pending_as_of_an_instant(tablets):
    found = vigil.explain_doses(
        person="anna", medication="tablets", day="2026-06-10", **tablets,
        evaluated_at="2026-06-10T08:30:00Z")
    assert (found.person, found.medication, len(found.doses)) == ("anna", "tablets", 7)
    assert [dose.outcome for dose in found.doses[-3:]] == ["missed", "taken", "pending"]
    assert found.doses[-1].scheduled_time == datetime.datetime(
        2026, 6, 10, 8, tzinfo=datetime.timezone.utc)


@pytest.mark.parametrize("options, words", [
    ({"person": "nobody"}, 'no rows of person "nobody"'),
    ({"medication": "drops"}, 'person "anna" has no medication "drops"'),
])
def test_doses_that_are_not_there_are_refused(tablets, options, words):
    arguments = {"person": "anna", "medication": "tablets", "day": "2026-06-10", **options}
    with pytest.raises(vigil.VigilError, match=words):
        vigil.explain_doses(**tablets, **arguments)


@pytest.mark.parametrize("name, arguments, words", [
    ("vigil_explain", (None, 0, b"steps", None, 0), "person is NULL"),
    ("vigil_explain", (b"a", 1, None, None, 0), "metric is NULL"),
    ("vigil_explain", (b"a", -1, b"steps", None, 0), "more than memory"),
    ("vigil_explain", (b"a", 1, b"steps", None, 2**31 - 1), "not in the years"),
    ("vigil_explain", (b"a", 1, b"steps", b"near", 0), "neither"),
    ("vigil_explain_doses", (None, 0, b"tablets", 0), "person is NULL"),
    ("vigil_explain_doses", (b"a", 1, None, 0), "medication is NULL"),
    ("vigil_draw", (None, 0, None, None, 0, 1), "person is NULL"),
    ("vigil_draw", (b"a", 1, None, None, 0, 1), "no rows of person"),
])
def test_bad_arguments_of_c_are_refused(name, arguments, words):
    with vigil.Detector("v1") as detector, pytest.raises(vigil.VigilError, match=words):
        document(name, detector._pointer, *arguments)


def test_a_check_in_is_a_sign_of_life_where_doses_are_explained(command_line):
    """Without it, days without the device are silent, and their doses without a record are no misses."""
    command = command_line("explained-check-ins")
    folder = command.folder / "data"
    folder.mkdir()
    days = [datetime.date(2026, 3, 1) + datetime.timedelta(days=day) for day in range(122)]
    worn = [str(day) for day in days if day <= datetime.date(2026, 6, 10)]
    tables = {
        "wearable_daily_metrics": {
            "user_id": ["anna"] * len(worn), "metric_date": worn, "source": ["watch"] * len(worn),
            "steps": [8000] * len(worn)},
        "medications": {
            "id": ["tablets"], "user_id": ["anna"], "name": ["A"], "dosage": ["1"], "form": ["pill"],
            "start_date": ["2026-03-01"]},
        "schedules": {
            "id": ["mornings"], "medication_id": ["tablets"], "type": ["timeBased"],
            "reference_timezone": ["UTC"], "start_date": ["2026-03-01"],
            "time_based_times": ['["08:00"]']},
        "dose_history": {
            "id": [f"dose {day}" for day in worn], "medication_id": ["tablets"] * len(worn),
            "schedule_id": ["mornings"] * len(worn), "status": ["taken"] * len(worn), "recorded_timezone": ["UTC"] * len(worn),
            "actual_time": [f"{day}T08:05:00Z" for day in worn]},
        "check_ins": {
            "user_id": ["anna"] * len(days), "checked_in_at": [f"{day}T09:00:00Z" for day in days]},
    }
    for name, columns in tables.items():
        pyarrow.csv.write_csv(pyarrow.table(columns), folder / f"{name}.csv")
    command.run("import", "csv", str(folder))
    inputs = {"doses" if name == "dose_history" else name: pyarrow.table(columns)
              for name, columns in tables.items()}
    values = inputs.pop("wearable_daily_metrics")
    for given, is_alert in [(inputs, True), ({**inputs, "check_ins": None}, False)]:
        found = vigil.explain(values, "anna", "dose_adherence_pct", "2026-06-20", **given)
        assert found.is_alert == is_alert
    printed = command.output(
        "explain", "--user", "anna", "--metric", "dose_adherence_pct", "--date", "2026-06-20",
        "--thresholds", "v3", "--format", "json")
    assert json.loads(printed)["is_alert"]
