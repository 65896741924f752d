import VigilModel

/// A number and the unit that may stand behind it: `58 bpm`, `7.5h`, `97 %`.
struct NumberWithUnit {
  let number: FieldParser.Bytes
  /// Empty where there is none.
  let unit: FieldParser.Bytes

  /// The unit is what stands at the end without a digit; a text without any digit is all number.
  init(_ bytes: FieldParser.Bytes) {
    var end = bytes.count
    while end > 0, !Self.isPartOfNumber(bytes[end - 1]) { end -= 1 }
    guard end > 0 else {
      (number, unit) = (bytes, FieldParser.Bytes(rebasing: bytes[bytes.count...]))
      return
    }
    unit = FieldParser.Bytes(rebasing: bytes[end...])
    number = FieldParser.Bytes(rebasing: bytes[..<end])
  }

  private static func isPartOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: ","): true
    default: false
    }
  }
}

extension MetricUnit {
  /// The words for it that may stand behind numbers, in lower case.
  private var words: [String] {
    switch self {
    case .count: ["steps", "step", "pasos", "schritte"]
    case .minutes: ["min", "mins", "minutes", "minute", "m"]
    case .hours: ["h", "hr", "hrs", "hours", "hour", "std"]
    case .seconds: ["s", "sec", "secs", "seconds"]
    case .milliseconds: ["ms"]
    case .clock: []
    case .bpm: ["bpm", "lpm"]
    case .percent: ["%"]
    case .fraction: []
    case .kcal: ["kcal", "cal", "cals", "calories"]
    case .kJ: ["kj"]
    case .perMinute: ["rpm", "brpm", "br/min", "/min", "bpm"]
    case .celsius: ["°c", "ºc", "c", "celsius"]
    case .fahrenheit: ["°f", "ºf", "f", "fahrenheit"]
    }
  }

  /// Refuses a word behind a number that is not one for this unit.
  func requireWord(_ bytes: FieldParser.Bytes) throws(Refusal) {
    guard !bytes.isEmpty else { return }
    let text = String(decoding: bytes, as: UTF8.self).lowercased().drop {
      $0 == " " || $0 == "\u{A0}"
    }
    guard text.isEmpty || words.contains(String(text)) else {
      throw Refusal(
        MetricUnit.allCases.contains { $0.words.contains(String(text)) }
          ? "not in \(rawValue)" : "not a number")
    }
  }
}
