"""Warnings about observations that look wrong, and what a notebook shows of results."""

import datetime
import math
import warnings

import polars
import pyarrow
import pytest

import vigil
from comparison import ROOT, VALUES
from vigil._notes import COLUMNS

DAYS = [datetime.date(2026, 5, 1) + datetime.timedelta(days=day) for day in range(28)]


def rows(**columns):
    return pyarrow.table({"person": ["anna"] * 28, "date": DAYS, "steps": [8000.0] * 28, **columns})


def warnings_of(data, **options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        vigil.detect(data, **options)
    assert all(warning.category is vigil.DataWarning for warning in caught)
    assert all(warning.filename == __file__ for warning in caught)
    return [str(warning.message) for warning in caught]


def test_good_data_give_none(sample):
    assert warnings_of(rows()) == []
    for profile in ["v1", "v2", "v3"]:
        assert warnings_of(sample, profile=profile) == []


def test_known_columns_are_those_of_the_files():
    header = (ROOT / "datasets/sample" / VALUES).read_text().splitlines()[0].split(",")
    assert set(header) - {"user_id", "metric_date", "source"} <= set(COLUMNS)
    assert warnings_of(rows(**{name: [1.0] * 28 for name in COLUMNS if "sleep" not in name})) in [
        [], ['28 values of "resting_hr" are negative or not plausible, and count as missing']]


@pytest.mark.parametrize("columns, words", [
    ({"mood": ["good"] * 28}, 'column "mood" holds no numbers and is not read'),
    ({"Sleep Minutes": [400.0] * 28},
     'column "Sleep Minutes" is no metric that Vigil knows: its values only show that a device was worn; '
     'did you mean "sleep_minutes"?'),
    ({"xyz": [1] * 28},
     'column "xyz" is no metric that Vigil knows: its values only show that a device was worn'),
    ({"resting_hr": [60.0] * 27 + [math.inf]},
     '1 value of "resting_hr" is infinite and counts as missing'),
    ({"resting_hr": [60.0] * 26 + [-1.0, -2.0]},
     '2 values of "resting_hr" are negative or not plausible, and count as missing'),
    ({"sleep_minutes": [7.5] * 28},
     'all 28 values of "sleep_minutes" are at most 24: are they hours? The column is in minutes; multiply by 60'),
])
def test_what_looks_wrong_is_said_once(columns, words):
    assert warnings_of(rows(**columns)) == [words]


def test_nights_in_minutes_are_no_hours_however_short_one_is():
    assert warnings_of(rows(sleep_minutes=[10.0] * 27 + [400.0])) == []


def test_a_person_that_was_evaluated_takes_no_more_rows():
    with vigil.Detector("v1", since="2026-05-01", until="2026-05-28") as detector:
        detector.push(rows())
        detector.finish("anna")
        with pytest.raises(vigil.VigilError, match='"anna" was evaluated.*takes no more rows') as refusal:
            detector.push(rows())
        assert refusal.value.status == 4
        detector.push(rows(person=["berta"] * 28))
        detector.finish()
        with pytest.raises(vigil.VigilError, match='"berta" was evaluated'):
            detector.push(rows(person=["berta"] * 28))


def test_a_table_shows_itself(sample):
    alerts = vigil.detect(sample, profile="v1")
    assert len(alerts) == 590
    assert alerts.columns == alerts.to_arrow().schema.names
    assert list(alerts.rows()) == [tuple(row.values()) for row in alerts.to_arrow().to_pylist()]
    lines = repr(alerts).splitlines()
    assert lines[0] == f"<vigil.Table: 590 rows, {len(alerts.columns)} columns>"
    assert lines[1].startswith("person") and len(lines) == 9 and lines[7] == "585 more rows"
    assert all(len(line) <= 100 for line in lines[:8])
    page = alerts._repr_html_()
    assert page.startswith("<table><caption>590 rows,") and page.count("<tr>") == 11
    empty = vigil.detect(rows().slice(0, 0))
    assert len(empty) == 0 and list(empty.rows()) == [] and "0 rows" in repr(empty)


def test_what_a_table_shows_is_escaped():
    data = rows(person=["<b>&"] * 28, steps=[8000.0] * 21 + [2000.0] * 7)
    assert "<td>&lt;b&gt;&amp;</td>" in vigil.detect(data, "v1")._repr_html_()


@pytest.mark.parametrize("profile", ["v1", "v3"])
def test_a_series_day_by_day_says_what_an_explanation_of_all_days_says(sample, profile):
    alerts = vigil.detect(sample, profile).to_polars()
    alert = alerts.filter(alerts["metric_type"].is_in(sample.column_names)).row(0, named=True)
    person, metric = alert["person"], alert["metric_type"]
    own = polars.DataFrame(sample).filter(user_id=person).unique("metric_date", keep="first").sort(
        "metric_date")
    series = vigil.SeriesDetector(metric, profile)
    found = []
    for day, value in zip(own["metric_date"], own[metric]):
        found.append(series.update(day, value))
    only = own.select("user_id", "metric_date", metric)
    for explained in found[::9]:
        expected = vigil.explain(only, person, metric, explained.date, profile)
        assert (explained.change, explained.is_alert, explained.after, explained.evidence) == (
            expected.change, expected.is_alert, expected.after, expected.evidence)
    assert any(explained.is_alert for explained in found)


def test_days_of_a_series_come_in_their_order():
    series = vigil.SeriesDetector("steps")
    assert not series.update("2026-05-02", 8000).is_alert
    assert series.update("2026-05-04", None).unknown_reason is not None
    with pytest.raises(vigil.VigilError, match="2026-05-04 is not after 2026-05-04"):
        series.update("2026-05-04", 1.0)
    assert series.episode is None


def test_a_chart_is_saved_by_its_ending(tmp_path):
    chart = vigil.Chart("<svg xmlns='http://www.w3.org/2000/svg'/>")
    chart.save(tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text() == chart.svg
    chart.save(tmp_path / "a.html")
    assert chart.svg in (tmp_path / "a.html").read_text()
    with pytest.raises(vigil.VigilError, match="a.png: a chart is saved as .svg or .html"):
        chart.save(tmp_path / "a.png")
    assert not (tmp_path / "a.png").exists()
