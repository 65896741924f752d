/// The style of every drawing: light, dark and print, by custom properties.
public enum ChartStyle {
  /// The custom properties of the colours; a page may use them too.
  public static let colours = """
    :root{--page:#fff;--ink:#1d2733;--muted:#566273;--grid:#e3e7ec;--data:#44546a;--mean:#0b5cad;\
    --usual:#2e7045;--band:#e2f0e6;--episode:#fdeacb;--edge:#a35200;--alarm:#b3261e;\
    --calm:#dfe5ec;--good:#2f7d4f}
    @media (prefers-color-scheme:dark){:root{--page:#12171d;--ink:#e8edf2;--muted:#a3afbd;\
    --grid:#2a333d;--data:#b6c3d1;--mean:#7db8f5;--usual:#7fca9a;--band:#1b3325;--episode:#3d2e12;\
    --edge:#f0a94e;--alarm:#ff8a80;--calm:#2a343f;--good:#66b98a}}
    @media print{:root{--page:#fff;--ink:#000;--muted:#444;--grid:#ddd;--data:#333;--mean:#00458a;\
    --usual:#1f5c36;--band:#e6f2ea;--episode:#fbeed6;--edge:#8a4500;--alarm:#8f1d16;--calm:#e3e7ec;\
    --good:#26693f}}
    """

  /// The rules of the drawings; they need `colours`.
  public static let rules = """
    .chart{display:block;width:100%;height:auto;font:12px system-ui,sans-serif}
    .symbol{width:.8em;height:.8em;vertical-align:-.05em}
    .chart text{fill:var(--muted)}
    .chart .small{font-size:10px}
    .chart .strong{fill:var(--ink);font-weight:600}
    .chart .is-mean{fill:var(--mean);font-weight:600}
    .chart .is-usual{fill:var(--usual)}
    .chart .is-edge{fill:var(--edge);font-weight:600}
    .chart .middle{text-anchor:middle}
    .chart .end{text-anchor:end}
    .chart path,.symbol path{fill:none;stroke-width:1.2}
    .chart .grid{stroke:var(--grid);stroke-width:1}
    .chart .axis{stroke:var(--muted);stroke-width:1}
    .chart .dots,.symbol .dots{stroke:var(--data);stroke-width:3.4;stroke-linecap:round}
    .chart .mean{stroke:var(--mean);stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
    .chart .usual{stroke:var(--usual);stroke-width:1.4;stroke-dasharray:5 3}
    .chart .band{fill:var(--band)}
    .chart .episode{fill:var(--episode)}
    .chart .edge{stroke:var(--edge);stroke-width:1.4}
    .chart .hollow,.symbol .hollow{stroke:var(--ink)}
    .chart .solid,.symbol .solid{fill:var(--ink);stroke:var(--ink)}
    .chart .cell{fill:var(--calm)}
    .chart .good{fill:var(--good)}
    .chart .watch{fill:var(--episode);stroke:var(--edge);stroke-width:.8}
    .chart .high{fill:var(--edge)}
    .chart .critical{fill:var(--alarm)}
    .chart .hatch{stroke:var(--muted);stroke-width:.9}
    .chart .frame{fill:none;stroke:var(--grid);stroke-width:.8}
    .chart .alarm{stroke:var(--alarm);stroke-width:1.8}
    .chart .alarm-dot{fill:var(--alarm)}
    .chart .data-dot{fill:var(--data)}
    """

  /// Colours and rules.
  public static let css = colours + "\n" + rules
}
