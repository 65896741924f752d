"""Results as a table that speaks Arrow."""

from __future__ import annotations

import ctypes
import html
import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ._capsule import capsule_of
from ._library import ArrowArrayStream, call
from ._reading import Row, batch_lengths, column_names, rows

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

_TEXT_ROWS, _TEXT_WIDTH = 5, 100
_HTML_ROWS = 10


class Table:
    """Rows of results, for anything that reads the Arrow PyCapsule interface, as often as you like.

    >>> alerts = vigil.detect(sample, profile="v1")
    >>> pyarrow.table(alerts).num_rows == polars.DataFrame(alerts).height
    True
    """

    def __init__(self, stream: ArrowArrayStream) -> None:
        self._stream = stream

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """A capsule with a stream of all rows. A requested schema is not looked at, which is allowed."""
        return capsule_of(self._repeated())

    @property
    def num_rows(self) -> int:
        """How many rows there are; `len` gives it too.

        >>> vigil.detect(sample, profile="v1").num_rows
        590
        """
        return sum(batch_lengths(self._repeated()))

    def __len__(self) -> int:
        return self.num_rows

    @property
    def columns(self) -> list[str]:
        """The names of the columns.

        >>> vigil.detect(sample, profile="v1").columns[:4]
        ['person', 'id', 'event_id', 'profile']
        """
        stream = self._repeated()
        names = column_names(stream)
        stream.release(ctypes.byref(stream))
        return names

    def rows(self) -> Iterator[Row]:
        """The rows as tuples, one after the other; texts, dates, numbers, truth values and None.

        >>> alerts = vigil.detect(sample, profile="v1")
        >>> next(alerts.rows())[alerts.columns.index("metric_type")]
        'deep_sleep_minutes'
        """
        return rows(self._repeated())

    def __repr__(self) -> str:
        lines = [f"<vigil.Table: {self._size}>"]
        names, shown = self.columns, self._shown(_TEXT_ROWS)
        cells = [[name, *(_text(row[place]) for row in shown)] for place, name in enumerate(names)]
        widths = [max(map(len, column)) for column in cells]
        count = 0
        while count < len(names) and sum(widths[: count + 1]) + 2 * count <= _TEXT_WIDTH:
            count += 1
        for line in zip(*cells[:count]):
            lines.append("  ".join(text.ljust(width) for text, width in zip(line, widths)).rstrip())
        more = [f"{self.num_rows - len(shown)} more rows"] if self.num_rows > len(shown) else []
        more += [f"columns not shown: {', '.join(names[count:])}"] if count < len(names) else []
        return "\n".join(lines + more)

    def _repr_html_(self) -> str:
        shown = self._shown(_HTML_ROWS)
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self.columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(_text(value))}</td>" for value in row) + "</tr>"
            for row in shown)
        more = f", the first {len(shown)}" if self.num_rows > len(shown) else ""
        return (
            f"<table><caption>{self._size}{more}</caption><thead><tr>{head}</tr></thead>"
            f"<tbody>{body}</tbody></table>")

    @property
    def _size(self) -> str:
        rows, columns = self.num_rows, len(self.columns)
        return f"{rows} row{'' if rows == 1 else 's'}, {columns} columns"

    def _shown(self, most: int) -> list[Row]:
        return list(itertools.islice(self.rows(), most))

    def _repeated(self) -> ArrowArrayStream:
        stream = ArrowArrayStream()
        call("vigil_repeat", ctypes.byref(self._stream), ctypes.byref(stream))
        return stream

    def to_arrow(self) -> pyarrow.Table:
        """The rows as a table of pyarrow.

        >>> vigil.detect(sample, profile="v1").to_arrow().num_rows
        590
        """
        import pyarrow

        return pyarrow.table(self)

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a data frame of pandas, whose integers may be missing.

        >>> vigil.detect(sample, profile="v1").to_pandas().current_level.max().item()
        21
        """
        return self.to_arrow().to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """The rows as a data frame of polars.

        >>> vigil.detect(sample, profile="v1").to_polars().height
        590
        """
        import polars

        return polars.DataFrame(self)

    def __del__(self) -> None:
        stream: Any = getattr(self, "_stream", None)
        if stream is not None and stream.release:
            stream.release(ctypes.byref(stream))


def _text(value: Any) -> str:
    """A cell for people."""
    if value is None:
        return "–"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
