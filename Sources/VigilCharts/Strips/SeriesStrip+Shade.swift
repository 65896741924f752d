import VigilModel

extension SeriesStrip.Span {
  /// Shades its days among those of a drawing, and writes its levels above them.
  ///
  /// - Parameters:
  ///   - drawn: The days of the drawing.
  ///   - left: The place where its first day begins.
  ///   - step: The width of a day.
  ///   - down: From the line of the levels to the floor.
  ///   - text: The drawing.
  func shade(
    _ drawn: ClosedRange<Day>, from left: Double, step: Double, down: ClosedRange<Double>,
    into text: inout SVGText
  ) {
    let last = min(resolvedOn ?? drawn.upperBound, drawn.upperBound)
    let first = max(activeSince, drawn.lowerBound)
    guard first <= last else { return }
    func edge(_ day: Day) -> Double { left + Double(day - drawn.lowerBound) * step }
    let top = down.lowerBound + 13
    text.rect(
      "episode", x: edge(first), y: top, width: edge(last + 1) - edge(first),
      height: down.upperBound - top)
    if activeSince >= drawn.lowerBound {
      text.line("edge", x1: edge(first), y1: top, x2: edge(first), y2: down.upperBound)
    }
    var free = left - 20
    for level in levels where (first...last).contains(level.day) {
      let place = edge(level.day) + step / 2
      free = max(place, free + 14)
      text.line("edge", x1: place, y1: top, x2: place, y2: top + 5)
      text.label("\(level.level.rawValue)", "is-edge", x: free, y: top - 3, anchor: .middle)
    }
  }
}
