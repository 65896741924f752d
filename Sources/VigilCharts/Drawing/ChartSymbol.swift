/// The shapes that mark events and days; each differs from the others without its colour.
public enum ChartSymbol: String, Hashable, Sendable, CaseIterable {
  case value, workout, sent, withheld, deviceChange, noRow, noValue, notWorn, partWorn, implausible

  /// The symbols of days without a value.
  static let absences: [ChartSymbol] = [.noRow, .noValue, .notWorn, .partWorn, .implausible]

  /// The meaning in words.
  public var words: String {
    switch self {
    case .value: "value of a day"
    case .workout: "day with a workout"
    case .sent: "notification sent"
    case .withheld: "notification withheld"
    case .deviceChange: "device changed"
    case .noRow: "no data"
    case .noValue: "no value"
    case .notWorn: "not worn"
    case .partWorn: "worn for a part of the day"
    case .implausible: "left out, not plausible"
    }
  }

  /// In the terminal, with Unicode and without.
  var character: (unicode: Character, ascii: Character) {
    switch self {
    case .value: ("•", "*")
    case .workout: ("◇", "w")
    case .sent: ("▲", "^")
    case .withheld: ("△", "v")
    case .deviceChange: ("□", "d")
    case .noRow: ("·", ".")
    case .noValue: ("–", "-")
    case .notWorn: ("╱", "/")
    case .partWorn: ("╲", "\\")
    case .implausible: ("×", "x")
    }
  }

  var style: String {
    switch self {
    case .value: "dots"
    case .sent: "solid"
    default: "hollow"
    }
  }

  /// The outline around a point.
  func path(x: Double, y: Double) -> String {
    func to(_ dx: Double, _ dy: Double) -> String { "\((x + dx).placed) \((y + dy).placed)" }
    return switch self {
    case .value: "M\(to(0, 0))h0"
    case .workout: "M\(to(0, -3.6))L\(to(3.6, 0))L\(to(0, 3.6))L\(to(-3.6, 0))Z"
    case .sent, .withheld: "M\(to(0, -4))L\(to(3.8, 3))L\(to(-3.8, 3))Z"
    case .deviceChange: "M\(to(-3, -3))h6v6h-6Z"
    case .noRow: "M\(to(-1.8, 0))a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0 -3.6 0"
    case .noValue: "M\(to(-2, 0))h4"
    case .notWorn: "M\(to(-1.8, 3))L\(to(1.8, -3))"
    case .partWorn: "M\(to(-1.8, -3))L\(to(1.8, 3))"
    case .implausible: "M\(to(-2, -2))l4 4M\(to(-2, 2))l4 -4"
    }
  }

  /// The symbol alone, for a legend whose words stand beside it.
  public var legendEntry: String {
    var text = SVGText()
    text.open("svg", ["class": "symbol", "viewBox": "0 0 12 12", "aria-hidden": "true"])
    text.path(style, path(x: 6, y: 6))
    text.close("svg")
    return text.text
  }
}
