import VigilModel

/// The order of the parts of the dates in a file.
public enum DateForm: String, Sendable, Hashable, CaseIterable {
  /// Year, month, day, such as `2026-06-30`, `2026/6/30` and `20260630`.
  case iso
  /// Day, month, year, such as `30/06/2026` and `30.6.2026`.
  case dmy
  /// Month, day, year, such as `06/30/2026`.
  case mdy
  /// The month by its name, such as `Oct 1, 2026` and `1. Oktober 2026`, in English, German or Spanish.
  case named

  /// The form in words of a file's reader.
  public var example: String {
    switch self {
    case .iso: "YYYY-MM-DD"
    case .dmy: "D/M/YYYY"
    case .mdy: "M/D/YYYY"
    case .named: "with names of months"
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
  /// A time behind it is dropped. Nil for anything else.
  init?(_ bytes: FieldParser.Bytes) {
    var end = bytes.count
    for index in bytes.indices.dropFirst(8) {
      let byte = bytes[index]
      guard byte == UInt8(ascii: " ") || byte == UInt8(ascii: "T") || byte == UInt8(ascii: ",")
      else { continue }
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
    case .named: nil
    }
  }
}

extension FieldParser {
  /// A date in `form` of a day that can have been observed.
  ///
  /// A time in UTC is refused: its date can be another one where the person lives.
  ///
  /// - Parameter hasLocalOffsets: Whether other dates of the column have an offset that is not 0, so that one of 0 is that
  ///   of a clock as well.
  func day(_ bytes: Bytes, in form: DateForm, hasLocalOffsets: Bool) throws(Refusal) -> Day {
    let found = form == .named ? NamedDate(bytes)?.day : DateParts(bytes)?.day(in: form)
    guard let day = found else { throw Refusal("not a date (\(form.example))") }
    switch ClockOffset(bytes) {
    case .utc: throw Self.timeInUTC
    case .zero: if !hasLocalOffsets { throw Self.timeInUTC }
    case .other, nil: break
    }
    try requireObservable(day)
    return day
  }

  private static let timeInUTC = Refusal(
    "a time in UTC, whose date can be another one where the person lives; write local dates")
}

/// The clock of a time that stands behind a date.
enum ClockOffset {
  /// `Z`.
  case utc
  /// An offset of 0, which programs write for UTC, and clocks of some countries in winter.
  case zero
  case other

  /// Nil where there is none.
  init?(_ bytes: FieldParser.Bytes) {
    guard bytes.count > 11, let last = bytes.last else { return nil }
    if last | 0x20 == UInt8(ascii: "z") || Self.ends(bytes, " UTC") || Self.ends(bytes, " GMT") {
      self = .utc
      return
    }
    // The sign is before two or four digits, of which a colon may be in the middle.
    for count in [3, 5, 6] where bytes.count - count > 10 {
      let offset = bytes.suffix(count)
      guard let sign = offset.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
        continue
      }
      let digits = offset.dropFirst().filter { $0 != UInt8(ascii: ":") }
      guard digits.count == (count == 3 ? 2 : 4), digits.allSatisfy({ $0 &- 0x30 < 10 }) else {
        continue
      }
      self = digits.allSatisfy { $0 == UInt8(ascii: "0") } ? .zero : .other
      return
    }
    return nil
  }

  private static func ends(_ bytes: FieldParser.Bytes, _ text: StaticString) -> Bool {
    let end = bytes.suffix(text.utf8CodeUnitCount)
    return end.elementsEqual(
      UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
