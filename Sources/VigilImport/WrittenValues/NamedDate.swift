import VigilModel

/// A date with the name of its month: `Oct 1, 2026`, `1 October 2026`, `Thu, 1-Oct-2026`, `1. Oktober 2026`.
struct NamedDate {
  let day: Day

  /// Nil for a text without exactly one month, a day and a year of four digits; what follows the year is a time.
  init?(_ bytes: FieldParser.Bytes) {
    // Most dates have no letter; a name has three at least.
    guard bytes.count >= 8, bytes.count <= 64, bytes.contains(where: Self.isLetter) else {
      return nil
    }
    var month: Int?
    var dayOfMonth: Int?
    var index = 0
    while index < bytes.count {
      let start = index
      if Self.isLetter(bytes[index]) {
        while index < bytes.count, Self.isLetter(bytes[index]) { index += 1 }
        let word = bytes[start..<index].prefix(3).map { $0 < 0x80 ? $0 | 0x20 : $0 }
        if let found = Self.month(of: word) {
          guard month == nil else { return nil }
          month = found
        } else if !Self.isConnection(word) {
          return nil
        }
      } else if Self.isDigit(bytes[index]) {
        var number = 0
        while index < bytes.count, Self.isDigit(bytes[index]) {
          number = min(number * 10 + Int(bytes[index] - UInt8(ascii: "0")), 100_000)
          index += 1
        }
        switch index - start {
        case 1...2 where dayOfMonth == nil: dayOfMonth = number
        case 4:
          guard let month, let dayOfMonth,
            let day = Day(year: number, month: month, day: dayOfMonth)
          else { return nil }
          self.day = day
          return
        default: return nil
        }
      } else {
        index += 1
      }
    }
    return nil
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte >= 0x80
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  private static func month(of word: [UInt8]) -> Int? {
    names.first { $0.name.elementsEqual(word) }?.month
  }

  /// The first three bytes of the names of months, in English, German and Spanish.
  private static let names: [(name: [UInt8], month: Int)] = [
    ("jan", 1), ("ene", 1), ("feb", 2), ("mar", 3), ("mär", 3), ("mrz", 3), ("apr", 4), ("abr", 4),
    ("may", 5), ("mai", 5), ("jun", 6), ("jul", 7), ("aug", 8), ("ago", 8), ("sep", 9), ("oct", 10),
    ("okt", 10), ("nov", 11), ("dec", 12), ("dez", 12), ("dic", 12),
  ].map { name, month in (Array(Array(name.utf8).prefix(3)), month) }

  /// Whether a word that is no month may stand in a date: a day of the week, or `de` in Spanish.
  private static func isConnection(_ word: [UInt8]) -> Bool {
    ["mon", "tue", "wed", "thu", "fri", "sat", "sun", "de", "th", "st", "nd", "rd"]
      .contains { $0.utf8.elementsEqual(word) }
  }
}
