/// Numbers as text, the same on every machine and in every locale.
enum ChartNumber {
  /// With exactly so many decimals; "–" where the number is not finite.
  static func fixed(_ value: Double, decimals: Int) -> String {
    guard value.isFinite, value.magnitude < 1e12 else { return "–" }
    let factor = (0..<decimals).reduce(Int64(1)) { factor, _ in factor * 10 }
    let scaled = Int64((value.magnitude * Double(factor)).rounded())
    let sign = value < 0 && scaled != 0 ? "-" : ""
    guard decimals > 0 else { return "\(sign)\(scaled)" }
    let fraction = String(scaled % factor)
    return "\(sign)\(scaled / factor)."
      + String(repeating: "0", count: decimals - fraction.count) + fraction
  }

  /// A place in a drawing: with at most one decimal.
  static func place(_ value: Double) -> String {
    let text = fixed(value, decimals: 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// A value of a metric: whole from 100 on, else with at most one decimal.
  static func value(_ value: Double) -> String {
    guard value.magnitude >= 99.95 else { return place(value) }
    let digits = fixed(value.magnitude, decimals: 0)
    guard digits != "–" else { return digits }
    var text = ""
    for (position, digit) in digits.enumerated() {
      if position > 0, (digits.count - position).isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return value < 0 ? "-" + text : text
  }

  /// `+1.3`: with its sign and one decimal; 0 has no sign.
  static func signed(_ value: Double) -> String {
    let text = fixed(value, decimals: 1)
    return value > 0 && text != "0.0" && text != "–" ? "+" + text : text
  }
}
