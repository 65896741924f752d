import VigilModel

/// The order of the parts of the dates in a file.
public enum DateForm: String, Sendable, Hashable, CaseIterable {
  /// Year, month, day, such as `2026-06-30`, `2026/6/30` and `20260630`.
  case iso
  /// Day, month, year, such as `30/06/2026` and `30.6.2026`.
  case dmy
  /// Month, day, year, such as `06/30/2026`.
  case mdy

  /// The form in words of a file's reader.
  public var example: String {
    switch self {
    case .iso: "YYYY-MM-DD"
    case .dmy: "D/M/YYYY"
    case .mdy: "M/D/YYYY"
    }
  }
}

/// The numbers of a date as they are written, before their order is known.
struct DateParts: Equatable {
  var first: Int
  var second: Int
  var third: Int
  /// Whether the year comes first; it comes last otherwise.
  var hasYearFirst: Bool
  /// The byte between the parts; 0 where there is none.
  var separator: UInt8

  /// Reads three numbers with one separator (`-`, `/` or `.`), or eight digits, with a year of four digits.
  ///
  /// A time behind it is dropped. Nil for anything else, and for a time in UTC, whose date can be
  /// another one where the person lives.
  init?(_ bytes: FieldParser.Bytes) {
    var end = bytes.count
    for index in bytes.indices.dropFirst(8) {
      let byte = bytes[index]
      guard byte == UInt8(ascii: " ") || byte == UInt8(ascii: "T") || byte == UInt8(ascii: ",")
      else { continue }
      guard bytes[bytes.count - 1] | 0x20 != UInt8(ascii: "z") else { return nil }
      end = index
      break
    }
    var numbers = (0, 0, 0)
    var lengths = (0, 0, 0)
    var part = 0
    var separator: UInt8 = 0
    for index in 0..<end {
      let digit = bytes[index] &- UInt8(ascii: "0")
      if digit < 10 {
        switch part {
        case 0: (numbers.0, lengths.0) = (numbers.0 &* 10 &+ Int(digit), lengths.0 + 1)
        case 1: (numbers.1, lengths.1) = (numbers.1 &* 10 &+ Int(digit), lengths.1 + 1)
        default: (numbers.2, lengths.2) = (numbers.2 &* 10 &+ Int(digit), lengths.2 + 1)
        }
      } else {
        switch bytes[index] {
        case UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "."): break
        default: return nil
        }
        guard part < 2, separator == 0 || separator == bytes[index] else { return nil }
        separator = bytes[index]
        part += 1
      }
    }
    self.separator = separator
    if part == 0, lengths.0 == 8 {
      (first, second, third) = (numbers.0 / 10_000, numbers.0 / 100 % 100, numbers.0 % 100)
      hasYearFirst = true
      return
    }
    guard part == 2, (1...2).contains(lengths.1) else { return nil }
    (first, second, third) = numbers
    switch (lengths.0, lengths.2) {
    case (4, 1...2): hasYearFirst = true
    case (1...2, 4): hasYearFirst = false
    default: return nil
    }
  }

  /// The date in `form`; nil where the parts are in another one, or no date of the calendar.
  func day(in form: DateForm) -> Day? {
    guard hasYearFirst == (form == .iso) else { return nil }
    return switch form {
    case .iso: Day(year: first, month: second, day: third)
    case .dmy: Day(year: third, month: second, day: first)
    case .mdy: Day(year: third, month: first, day: second)
    }
  }
}

extension FieldParser {
  /// A date in `form` that is not in the future.
  func day(_ bytes: Bytes, in form: DateForm) throws(Refusal) -> Day {
    guard let day = DateParts(bytes)?.day(in: form) else {
      throw Refusal("not a date (\(form.example))")
    }
    guard day <= lastDay else { throw Refusal("date in the future") }
    return day
  }
}
