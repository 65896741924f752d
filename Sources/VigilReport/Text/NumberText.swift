import Foundation

/// Numbers in a form for people, the same in every locale.
enum NumberText {
  /// `12,345`.
  static func count(_ value: Int) -> String {
    let digits = String(value.magnitude)
    var result = ""
    for (position, digit) in digits.enumerated() {
      if position > 0, (digits.count - position).isMultiple(of: 3) { result.append(",") }
      result.append(digit)
    }
    return value < 0 ? "-" + result : result
  }

  /// `1 person`, `12 persons`.
  static func count(_ value: Int, _ singular: String, _ plural: String? = nil) -> String {
    "\(count(value)) \(value == 1 ? singular : plural ?? singular + "s")"
  }

  /// `+12 %` of the fraction 0.12; below 10 % with one decimal.
  static func change(_ fraction: Double) -> String {
    let percent = fraction * 100
    guard percent.isFinite else { return "–" }
    let digits = abs(percent) < 9.95 ? 1 : 0
    let text = String(format: "%+.\(digits)f", percent)
    // A change that rounds to zero has no sign.
    let isZero = !text.contains { ("1"..."9").contains($0) }
    return (isZero ? "0" : text) + " %"
  }

  /// A value of a metric: whole from 100 on, else with at most one decimal.
  static func value(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return "–" }
    if abs(value) >= 99.95 { return count(Int(value.rounded())) }
    let text = String(format: "%.1f", value)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// `4.58`: with two decimals, of large numbers with one or none.
  static func decimals(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return "–" }
    if abs(value) >= 999.5 { return count(Int(value.rounded())) }
    // A number that rounds to 0 has no sign.
    if abs(value) < 0.005 { return "0.00" }
    return String(format: "%.\(abs(value) >= 99.95 ? 1 : 2)f", value)
  }

  /// `0.42 s`, `12.3 s`, `4 min 05 s`, `2 h 03 min`.
  static func duration(seconds: Double) -> String {
    let seconds = max(0, seconds)
    if seconds < 9.995 { return String(format: "%.2f s", seconds) }
    if seconds < 59.95 { return String(format: "%.1f s", seconds) }
    let whole = Int(min(seconds, 1e12).rounded())
    if whole < 3600 { return String(format: "%d min %02d s", whole / 60, whole % 60) }
    return String(format: "%d h %02d min", whole / 3600, whole / 60 % 60)
  }

  /// Three significant digits and a thousands separator: a measured rate is not more precise.
  static func rate(_ perSecond: Double, _ unit: String) -> String {
    guard perSecond.isFinite, perSecond > 0, perSecond < 1e15 else { return "– \(unit)/s" }
    let magnitude = pow(10, max(0, floor(log10(perSecond)) - 2))
    return "\(count(Int((perSecond / magnitude).rounded() * magnitude))) \(unit)/s"
  }
}
