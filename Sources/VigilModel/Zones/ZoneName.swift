/// The names of time zones, as rows and settings write them.
enum ZoneName {
  /// Returns whether a name such as `America/Argentina/Salta` can be looked for among zone files.
  ///
  /// The name becomes a path below a folder. So each part between slashes begins with a letter, and holds
  /// letters, digits, `_`, `-` and `+` only: no name leaves the folder. The folders `posix` and `right`,
  /// and the machine's own `localtime` and `posixrules`, are no names of zones.
  static func isValid(_ name: String) -> Bool {
    guard name.utf8.count <= 255, name != "localtime", name != "posixrules" else { return false }
    let parts = name.utf8.split(separator: slash, omittingEmptySubsequences: false)
    guard let first = parts.first, !first.elementsEqual("posix".utf8),
      !first.elementsEqual("right".utf8)
    else { return false }
    return parts.allSatisfy { part in
      part.first.map(isLetter) ?? false && part.allSatisfy(isAllowed)
    }
  }

  /// Returns what a name that needs no rules adds to UTC, in seconds; nil for other names.
  ///
  /// These are `UTC` and `GMT`, alone or below `Etc`, and what phones write where they know no zone:
  /// `GMT+3`, `GMT-0330` or `UTC+05:45`, up to 18 hours. East is positive here, unlike in `Etc/GMT-3`.
  static func fixedOffset(_ name: String) -> Int? {
    if ["UTC", "GMT", "Etc/UTC", "Etc/GMT"].contains(name) { return 0 }
    guard name.hasPrefix("UTC") || name.hasPrefix("GMT") else { return nil }
    let text = Array(name.utf8.dropFirst(3))
    guard let sign = text.first, sign == plus || sign == minus else { return nil }
    guard let (hours, minutes) = hoursAndMinutes(text.dropFirst()), minutes < 60,
      hours * 60 + minutes <= 18 * 60
    else { return nil }
    let seconds = (hours * 60 + minutes) * 60
    return sign == minus ? -seconds : seconds
  }

  /// Reads `3`, `03`, `0330`, `3:30` or `03:30`.
  private static func hoursAndMinutes(_ text: ArraySlice<UInt8>) -> (Int, Int)? {
    let parts = text.split(separator: colon, omittingEmptySubsequences: false)
    if parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2 {
      guard let hours = number(parts[0]), let minutes = number(parts[1]) else { return nil }
      return (hours, minutes)
    }
    guard parts.count == 1, let value = number(text) else { return nil }
    switch text.count {
    case 1, 2: return (value, 0)
    case 4: return (value / 100, value % 100)
    default: return nil
    }
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard digits.allSatisfy(isDigit) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - zero) }
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || byte == underscore || byte == minus || byte == plus
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte & 0xDF) }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  private static let slash = UInt8(ascii: "/")
  private static let colon = UInt8(ascii: ":")
  private static let plus = UInt8(ascii: "+")
  private static let minus = UInt8(ascii: "-")
  private static let underscore = UInt8(ascii: "_")
  private static let zero = UInt8(ascii: "0")
}
