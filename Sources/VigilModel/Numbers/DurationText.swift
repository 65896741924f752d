/// Numbers of minutes in the form that people read; `h` and `min` are the same in all languages.
public enum DurationText {
  /// Whole minutes, from an hour on with hours: `45 min`, `6 h 52 min`, `7 h`.
  ///
  /// ```swift
  /// print(DurationText.minutes(412.3))  // 6 h 52 min
  /// print(DurationText.minutes(-60))  // -1 h
  /// ```
  ///
  /// - Parameter value: In minutes; "–" stands for one that is not finite, or has more than 15 digits.
  public static func minutes(_ value: Double) -> String {
    guard value.isFinite, value.magnitude < 1e15 else { return "–" }
    let whole = Int(value.magnitude.rounded())
    let (hours, minutes) = (whole / 60, whole % 60)
    let sign = value < 0 && whole > 0 ? "-" : ""
    if hours == 0 { return "\(sign)\(minutes) min" }
    return minutes == 0 ? "\(sign)\(hours) h" : "\(sign)\(hours) h \(minutes) min"
  }
}
