/// A calendar date without time of day or timezone, as in `metric_date`.
///
/// ```swift
/// guard let night = Day("2026-06-30") else { return }
/// print(night + 1)  // 2026-07-01
/// print(night - (night - 29))  // 29
/// print(night.completedYears(since: night - 365 * 70))  // 69
/// ```
///
/// Day arithmetic is calendar arithmetic: `day + 1` is the next date, whatever a clock does that
/// night. Years 1 to 9999 of the proleptic Gregorian calendar.
public struct Day: Hashable, Sendable {
  /// Days since 1970-01-01; negative before it.
  public let ordinal: Int32

  public init(ordinal: Int32) {
    self.ordinal = ordinal
  }

  /// The date with this year, month and day of month, or nil where the calendar has none.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Day.length(ofMonth: month, year: year)
    else { return nil }
    // Days from civil, counting years from March: https://howardhinnant.github.io/date_algorithms.html
    let y = month <= 2 ? year - 1 : year
    let era = y / 400
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    ordinal = Int32(era * 146_097 + dayOfEra - 719_468)
  }

  /// From the first day of year 1 to the last of year 9999.
  public static let calendar = Day(ordinal: -719_162)...Day(ordinal: 2_932_896)

  static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Year, month (1...12) and day of month (1...31).
  public var components: (year: Int, month: Int, day: Int) {
    let shifted = Int(ordinal) + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  /// 0 is Sunday, 6 is Saturday.
  public var weekday: Int {
    let shifted = (Int(ordinal) + 4) % 7
    return shifted < 0 ? shifted + 7 : shifted
  }
}

extension Day: Comparable, Strideable {
  public static func < (left: Day, right: Day) -> Bool { left.ordinal < right.ordinal }

  public func distance(to other: Day) -> Int { Int(other.ordinal) - Int(ordinal) }

  /// The day that many days later; the last or first that there is where it would be beyond.
  public func advanced(by days: Int) -> Day {
    Day(ordinal: ordinal.addingClamped(Int32(clamping: days)))
  }

  public static func + (day: Day, days: Int) -> Day { day.advanced(by: days) }

  public static func - (day: Day, days: Int) -> Day { day.advanced(by: 0.subtractingClamped(days)) }

  /// Whole days from `right` to `left`; 0 for the same day.
  public static func - (left: Day, right: Day) -> Int { right.distance(to: left) }
}

extension Day: CustomStringConvertible, LosslessStringConvertible {
  /// `YYYY-MM-DD`; of a day before or after the calendar its first or last, so that a period that
  /// reaches beyond it still holds the same dates.
  public var description: String {
    let (year, month, day) = min(max(self, Self.calendar.lowerBound), Self.calendar.upperBound)
      .components
    return String(unsafeUninitializedCapacity: 10) { buffer in
      func put(_ value: Int, digits: Int, at start: Int) {
        var rest = value
        for position in stride(from: start + digits - 1, through: start, by: -1) {
          buffer[position] = UInt8(ascii: "0") + UInt8(rest % 10)
          rest /= 10
        }
      }
      put(year, digits: 4, at: 0)
      buffer[4] = UInt8(ascii: "-")
      put(month, digits: 2, at: 5)
      buffer[7] = UInt8(ascii: "-")
      put(day, digits: 2, at: 8)
      return 10
    }
  }

  /// Reads exactly `YYYY-MM-DD`; nil for anything else, impossible dates included.
  public init?(_ description: String) {
    var text = description
    let day = text.withUTF8 { Day(utf8: $0) }
    guard let day else { return nil }
    self = day
  }

  /// Reads exactly `YYYY-MM-DD` in ASCII; nil for anything else, impossible dates included.
  public init?(utf8 text: UnsafeBufferPointer<UInt8>) {
    guard text.count == 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-") else {
      return nil
    }
    func number(_ range: Range<Int>) -> Int? {
      var value = 0
      for position in range {
        let digit = text[position] &- UInt8(ascii: "0")
        guard digit < 10 else { return nil }
        value = value * 10 + Int(digit)
      }
      return value
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else {
      return nil
    }
    self.init(year: year, month: month, day: day)
  }
}

extension Day: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let day = Day(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(text)' is not a date (YYYY-MM-DD)")
    }
    self = day
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
