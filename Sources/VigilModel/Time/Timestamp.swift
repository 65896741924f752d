/// An instant with microsecond precision, the precision both databases keep.
///
/// ```swift
/// guard let noon = Timestamp("2026-06-30T12:00:00Z") else { return }
/// print(noon.adding(seconds: 90))  // 2026-06-30T12:01:30.000000Z
/// print(noon.utcDay)  // 2026-06-30
/// ```
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Microseconds since 1970-01-01T00:00:00Z.
  public let microseconds: Int64

  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.microseconds < right.microseconds
  }

  fileprivate static let microsecondsPerDay: Int64 = 86_400_000_000

  /// The UTC date of this instant.
  public var utcDay: Day {
    Day(ordinal: Int32(floorDivided(microseconds, Self.microsecondsPerDay).quotient))
  }

  /// Seconds since 1970-01-01T00:00:00Z, without their fraction.
  public var wholeSeconds: Int {
    Int(floorDivided(microseconds, 1_000_000).quotient)
  }

  /// The instant that many seconds later; the last or first that there is where it would be beyond.
  public func adding(seconds: Int64) -> Timestamp {
    Timestamp(microseconds: microseconds.addingClamped(seconds.multipliedClamped(by: 1_000_000)))
  }
}

extension Day {
  /// The beginning of this date in UTC.
  public var midnight: Timestamp {
    Timestamp(microseconds: Int64(ordinal) * Timestamp.microsecondsPerDay)
  }
}

private func floorDivided(_ value: Int64, _ divisor: Int64) -> (quotient: Int64, remainder: Int64) {
  let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
  return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
}

extension Timestamp: CustomStringConvertible, LosslessStringConvertible {
  /// `YYYY-MM-DDTHH:MM:SS.ffffffZ`, always UTC and always of the same length, so that text order is
  /// time order.
  public var description: String {
    let (dayOrdinal, ofDay) = floorDivided(microseconds, Self.microsecondsPerDay)
    let seconds = ofDay / 1_000_000
    func padded(_ value: Int64, _ width: Int) -> String {
      let digits = String(value)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "\(Day(ordinal: Int32(dayOrdinal)))T\(padded(seconds / 3600, 2))"
      + ":\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
      + ".\(padded(ofDay % 1_000_000, 6))Z"
  }

  /// Reads a time in ISO 8601.
  ///
  /// With `T` or a space between date and time, seconds and their fraction optional,
  /// and `Z`, `+HH:MM` or `+HHMM`; without a zone the time is UTC. Nil for anything else.
  public init?(_ description: String) {
    var text = description
    let timestamp = text.withUTF8 { Timestamp(utf8: $0) }
    guard let timestamp else { return nil }
    self = timestamp
  }

  /// Reads the same in ASCII.
  public init?(utf8 text: UnsafeBufferPointer<UInt8>) {
    guard text.count >= 16,
      let day = Day(utf8: UnsafeBufferPointer(rebasing: text[..<10])),
      text[10] == UInt8(ascii: "T") || text[10] == UInt8(ascii: " ")
    else { return nil }
    var position = 11
    func number(digits: Int) -> Int64? {
      guard position + digits <= text.count else { return nil }
      var value: Int64 = 0
      for byte in text[position..<position + digits] {
        let digit = byte &- UInt8(ascii: "0")
        guard digit < 10 else { return nil }
        value = value * 10 + Int64(digit)
      }
      position += digits
      return value
    }
    func accept(_ scalar: Unicode.Scalar) -> Bool {
      guard position < text.count, text[position] == UInt8(ascii: scalar) else { return false }
      position += 1
      return true
    }
    guard let hour = number(digits: 2), hour < 24, accept(":"), let minute = number(digits: 2),
      minute < 60
    else { return nil }
    var seconds: Int64 = 0
    var fraction: Int64 = 0
    if accept(":") {
      guard let value = number(digits: 2), value < 60 else { return nil }
      seconds = value
      if accept(".") {
        var scale: Int64 = 100_000
        let first = position
        while position < text.count, let digit = number(digits: 1) {
          fraction += digit * scale
          scale /= 10
        }
        guard position > first else { return nil }
      }
    }
    var offset: Int64 = 0
    if position < text.count, !accept("Z") {
      let sign: Int64
      if accept("+") {
        sign = 1
      } else if accept("-") {
        sign = -1
      } else {
        return nil
      }
      guard let hours = number(digits: 2), hours < 24 else { return nil }
      var minutes: Int64 = 0
      if position < text.count {
        _ = accept(":")
        guard let value = number(digits: 2), value < 60 else { return nil }
        minutes = value
      }
      offset = sign * (hours * 3600 + minutes * 60)
    }
    guard position == text.count else { return nil }
    let ofDay = hour * 3600 + minute * 60 + seconds - offset
    microseconds =
      Int64(day.ordinal) * Self.microsecondsPerDay + ofDay * 1_000_000 + fraction
  }
}

extension Timestamp: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let timestamp = Timestamp(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(text)' is not an ISO 8601 time")
    }
    self = timestamp
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
