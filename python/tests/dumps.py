"""Rows as texts, and what differs between them."""

import polars


def dump(frame, schema, digits=15):
    """A line for each row, sorted; `schema` says the columns, in their order, and their types.

    Numbers have so many significant digits at most.
    """
    texts = []
    for name, kind in schema.items():
        column = polars.col(name)
        if kind == polars.Date and frame.schema[name] == polars.String:
            column = column.str.to_date()
        # The texts of truth values are theirs everywhere.
        column = column.cast(polars.String if kind == polars.Boolean else kind)
        if kind.is_float():
            # The slope of what does not change is zero but for rounding.
            column = polars.when(column.abs() < 1e-12).then(0.0).otherwise(
                column.fill_nan(None).round_sig_figs(digits))
        texts.append(column.cast(polars.String).fill_null("").alias(name))
    lines = frame.select(polars.concat_str(texts, separator="\t"))
    return sorted(lines.to_series().to_list())


def differences(found, expected):
    """The first lines that only one of two dumps has."""
    more, fewer = set(found) - set(expected), set(expected) - set(found)
    lines = [*(f"+ {line}" for line in sorted(more)[:3]), *(f"- {line}" for line in sorted(fewer)[:3])]
    if not lines and found != expected:
        lines = [f"{len(found)} rows in the place of {len(expected)}"]
    return lines
