/// A time on a wall clock, to the minute.
///
/// ```swift
/// guard let evening = TimeOfDay("22:00") else { return }
/// print(evening, evening.minutes)  // 22:00 1320
/// ```
public struct TimeOfDay: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// From 0 to 1439.
  public let minutes: Int

  /// Nil unless `minutes` is from 0 to 1439.
  public init?(minutes: Int) {
    guard (0..<24 * 60).contains(minutes) else { return nil }
    self.minutes = minutes
  }

  private init(hour: Int) {
    minutes = hour * 60
  }

  /// Reads `HH:MM`, also with seconds that are 0, as databases write it; nil for anything else.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 || (parts.count == 3 && parts[2] == "00"),
      let hour = Self.twoDigits(parts[0]), let minute = Self.twoDigits(parts[1]), hour < 24,
      minute < 60
    else { return nil }
    minutes = hour * 60 + minute
  }

  private static func twoDigits(_ text: some StringProtocol) -> Int? {
    guard text.utf8.count == 2, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(text)
  }

  public static let tenInTheEvening = TimeOfDay(hour: 22)
  public static let sevenInTheMorning = TimeOfDay(hour: 7)

  public static func < (left: TimeOfDay, right: TimeOfDay) -> Bool {
    left.minutes < right.minutes
  }

  public var description: String {
    let (hour, minute) = minutes.quotientAndRemainder(dividingBy: 60)
    return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
  }
}
