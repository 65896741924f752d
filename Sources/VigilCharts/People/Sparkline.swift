import VigilModel

/// A series as a small line without an axis, which stands beside a sentence that says what it shows.
///
/// ```swift
/// let line = Sparkline(means: [400, 410, nil, 300], usual: 405)
/// print(line.svg.hasPrefix("<svg class=\"chart spark\""))  // true
/// ```
public struct Sparkline: Sendable {
  /// One for each day; nil where too few values are known.
  public var means: [Double?]
  /// The usual value, drawn across; nil where it is not known.
  public var usual: Double?
  /// The newest value, drawn as a dot, and its place among the days; nil for none.
  public var newest: (index: Int, value: Double)?

  public init(means: [Double?], usual: Double?, newest: (index: Int, value: Double)? = nil) {
    self.means = means
    self.usual = usual
    self.newest = newest
  }

  /// The means of a strip beside its usual value, with its newest value.
  public init(_ strip: SeriesStrip) {
    self.init(
      means: strip.means, usual: strip.latestUsual?.value,
      newest: strip.latestValue.map { (index: $0.day - strip.days.lowerBound, value: $0.value) })
  }

  /// The element for a page that has `ChartStyle.css`; readers of screens pass over it.
  public var svg: String {
    let (width, height) = (120.0, 26.0)
    let scale = ValueScale(
      holding: means.compactMap(\.self) + [usual, newest?.value].compactMap(\.self))
    let step = means.count > 1 ? (width - 6) / Double(means.count - 1) : 0
    func down(_ value: Double) -> Double { 2 + (1 - scale.place(value)) * (height - 4) }
    var path = ""
    var isDrawing = false
    for (index, mean) in means.enumerated() {
      guard let mean, mean.isFinite else {
        isDrawing = false
        continue
      }
      let point = (x: 2 + Double(index) * step, y: down(mean))
      path += "\(isDrawing ? "L" : "M")\(point.x.placed) \(point.y.placed)"
      isDrawing = true
    }
    var text = SVGText()
    text.open(
      "svg",
      [
        "class": "chart spark", "viewBox": "0 0 \(width.placed) \(height.placed)",
        "aria-hidden": "true",
      ])
    if let usual { text.line("usual", x1: 0, y1: down(usual), x2: width, y2: down(usual)) }
    text.path("mean", path)
    if let newest {
      let x = 2 + Double(newest.index) * step
      text.path("dots", ChartSymbol.value.path(x: x, y: down(newest.value)))
    }
    text.close("svg")
    return text.text
  }
}
