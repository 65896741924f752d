"""The notebook of the tutorial prints what it shows."""

import os
import pathlib

import nbclient
import nbformat
import pytest

import vigil
from comparison import ROOT

NOTEBOOK = ROOT / "docs/tutorial.ipynb"


def executed(notebook, folder):
    """The notebook after a run, without what differs from run to run."""
    client = nbclient.NotebookClient(
        notebook, timeout=120, kernel_name="python3", record_timing=False,
        resources={"metadata": {"path": str(folder)}})
    client.execute()
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            # The text says the same, and can be compared and reviewed.
            output.get("data", {}).pop("text/html", None)
    notebook.metadata.language_info = {"name": "python"}
    return notebook


def shown(notebook):
    return [
        (cell.source, [
            output.get("text") or output.get("data") or output.get("evalue")
            for output in joined(cell.outputs)])
        for cell in notebook.cells if cell.cell_type == "code"]


def joined(outputs):
    """A slow kernel sends what a cell prints in several parts."""
    parts = []
    for output in outputs:
        if parts and output.get("name") == parts[-1].get("name") == "stdout":
            parts[-1] = {**parts[-1], "text": parts[-1]["text"] + output["text"]}
        else:
            parts.append(output)
    return parts


def test_the_tutorial_prints_what_it_shows(tmp_path, monkeypatch):
    # The kernel finds the package that is tested, wherever it was imported from.
    monkeypatch.setenv("PYTHONPATH", str(pathlib.Path(vigil.__file__).parents[1]))
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    expected = shown(nbformat.read(NOTEBOOK, as_version=4))
    found = executed(notebook, tmp_path)
    if os.environ.get("VIGIL_RECORD_SNAPSHOTS"):
        nbformat.write(found, NOTEBOOK)
        pytest.fail(f"recorded {NOTEBOOK}; look at the difference")
    assert len(found.cells) > 10
    for one, other in zip(shown(found), expected):
        assert one == other
