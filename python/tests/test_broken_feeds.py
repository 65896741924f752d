"""Days on which a feed was broken: found in the rows of all people, or given."""

import datetime

import polars
import pytest

import vigil
from comparison import LAST

SINCE = "2026-05-01"
DATES = polars.date_range(polars.date(2026, 3, 1), polars.date(2026, 6, 30), eager=True)
# All people stop for these days.
BROKEN = [datetime.date(2026, 6, day) for day in range(10, 18)]
DAYS = {"since": SINCE, "until": LAST}


def rows(people, without=()):
    return polars.concat([
        polars.DataFrame({
            "person": f"person {number}", "date": DATES, "steps": 8000.0 + number}).filter(
                ~polars.col("date").is_in(list(without)))
        for number in range(people)])


def silences(data, **options):
    found = vigil.detect(data, **{**DAYS, **options}).to_polars()
    return found.filter(metric_type="inactivity").height


def test_people_whose_rows_stop_together_are_not_silent():
    assert silences(rows(30, BROKEN)) == 0
    assert silences(rows(30, BROKEN), broken_feed=[]) == 30
    # One person is one whose feed cannot be told from the person.
    assert silences(rows(1, BROKEN)) == 1


@pytest.mark.parametrize("days", [BROKEN, [str(day) for day in BROKEN]])
def test_the_days_can_be_given(days):
    assert silences(rows(1, BROKEN), broken_feed=days) == 0
    assert silences(rows(30, BROKEN), broken_feed=days, together=True) == 0
    assert silences(rows(30, BROKEN), together=True) == 30
    with vigil.Detector(broken_feed=days, **DAYS) as detector:
        detector.push(rows(2, BROKEN))
        detector.finish("person 0")
        detector.finish()
        assert "inactivity" not in detector.episodes().to_polars()["metric_type"]


def test_a_silence_on_a_day_with_a_broken_feed_is_explained():
    day = BROKEN[-1]
    found = vigil.explain(rows(30, BROKEN), "person 3", "inactivity", day)
    assert not found.is_alert
    found = vigil.explain(rows(30, BROKEN), "person 3", "inactivity", day, broken_feed=[])
    assert found.is_alert
    for options in ({}, {"broken_feed": []}):
        chart = vigil.plot(rows(30, BROKEN), "person 3", "inactivity", until=day, **options)
        assert chart.svg.startswith("<svg")


def test_two_profiles_are_compared_with_the_same_days():
    found = vigil.compare(rows(30, BROKEN), "v3", "v3-strict", **DAYS).to_polars()
    assert found.height == 0
    found = vigil.compare(rows(30, BROKEN), "v3", "v3-strict", broken_feed=[], **DAYS).to_polars()
    assert found.height == 30


def test_days_that_cannot_be_are_refused():
    data = rows(1)
    with pytest.raises(TypeError, match="list of dates"):
        silences(data, broken_feed="2026-06-10")
    with pytest.raises(ValueError, match="day"):
        silences(data, broken_dose_feed=["2026-06-31"])


def test_days_come_before_the_rows():
    from vigil._inputs import give_broken_days

    with vigil.Detector(**DAYS) as detector:
        detector.push(rows(1))
        with pytest.raises(vigil.VigilError, match="come before the first observations"):
            give_broken_days(detector, BROKEN, None)


def test_the_days_are_found_without_detection():
    # The first two days are not known to be of a break, and on the two days after it devices are synchronised late.
    late = [day + datetime.timedelta(days=2) for day in BROKEN]
    found = vigil.broken_days(rows(30, BROKEN), **DAYS)
    assert found == {"broken_feed": late, "broken_dose_feed": []}
    assert vigil.broken_days(rows(30, BROKEN), "v1", **DAYS)["broken_feed"] == []
    assert vigil.broken_days(rows(2, BROKEN), **DAYS)["broken_feed"] == []
    given = {"broken_feed": BROKEN, "broken_dose_feed": BROKEN[:1]}
    assert vigil.broken_days(rows(2), **given, **DAYS) == given


@pytest.mark.parametrize("options, message", [
    ({}, "vigil_set_days"), ({"together": True, **DAYS}, "in the rows of all persons")])
def test_the_days_are_found_where_all_people_wait(options, message):
    from vigil._library import BROKEN_DAYS

    with vigil.Detector(**options) as detector:
        with pytest.raises(vigil.VigilError, match=message):
            detector._take(BROKEN_DAYS)


@pytest.mark.parametrize("table, count, message", [
    (1, 0, "observations and of doses"), (99, 0, "no table 99"), (0, 1, "days is NULL")])
def test_calls_that_cannot_be_are_refused(table, count, message):
    from vigil._library import call

    with vigil.Detector(**DAYS) as detector:
        with pytest.raises(vigil.VigilError, match=message):
            call("vigil_set_broken_days", detector._pointer, table, None, count)
        call("vigil_set_broken_days", detector._pointer, 0, None, 0)
