"""Results as a table that speaks Arrow."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

from ._capsule import capsule_of
from ._library import ArrowArray, ArrowArrayStream, call

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


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
        """How many rows there are.

        >>> vigil.detect(sample, profile="v1").num_rows
        342
        """
        stream = self._repeated()
        rows, batch = 0, ArrowArray()
        while stream.get_next(ctypes.byref(stream), ctypes.byref(batch)) == 0 and batch.release:
            rows += batch.length
            batch.release(ctypes.byref(batch))
        stream.release(ctypes.byref(stream))
        return rows

    def _repeated(self) -> ArrowArrayStream:
        stream = ArrowArrayStream()
        call("vigil_repeat", ctypes.byref(self._stream), ctypes.byref(stream))
        return stream

    def to_arrow(self) -> pyarrow.Table:
        """The rows as a table of pyarrow.

        >>> vigil.detect(sample, profile="v1").to_arrow().num_rows
        342
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
        342
        """
        import polars

        return polars.DataFrame(self)

    def __del__(self) -> None:
        stream: Any = getattr(self, "_stream", None)
        if stream is not None and stream.release:
            stream.release(ctypes.byref(stream))
