"""The examples of the docstrings and of README.md print what they say."""

import datetime
import doctest
import importlib

import polars
import pyarrow
import pytest

import vigil
from comparison import ROOT

NAMES = [
    "vigil", "vigil._compare", "vigil._detect", "vigil._doses", "vigil._explain", "vigil._library",
    "vigil._scores", "vigil._series", "vigil._table"]


@pytest.mark.parametrize("name", NAMES)
def test_examples_print_what_they_say(name, sample):
    names = {
        "vigil": vigil, "pyarrow": pyarrow, "polars": polars, "datetime": datetime,
        "sample": sample}
    result = doctest.testmod(importlib.import_module(name), extraglobs=names)
    assert result.attempted > 0
    assert result.failed == 0


def test_the_example_of_the_readme_runs():
    result = doctest.testfile(
        str(ROOT / "python/README.md"), module_relative=False, encoding="utf-8")
    assert result.attempted > 0
    assert result.failed == 0
