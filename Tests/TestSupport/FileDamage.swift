public import Foundation

/// Makes damaged files of good ones, the same for the same generator.
public enum FileDamage {
  /// Texts that a reader may stumble over.
  private static let rubbish = [
    "\0", "\u{FEFF}", "\r", "\"", ",", ";", "{", "[", "]]>", "<!--", "&#0;", "&amp", "null", "NaN",
    "-0", "1e999",
    "-1e-999", "18446744073709551616", "2026-02-30", "0000-00-00", "9999999999-01-01T00:00:00Z",
    "+99:99", "é\u{301}",
    String(repeating: "9", count: 400), String(repeating: "[", count: 3_000),
    String(repeating: "<a>", count: 500),
  ]

  /// Values that settings may not expect.
  private static let values = [
    "null", "true", "-1", "0", "-0", "0.5", "1e-320", "1", "2", "3", "7", "29", "400", "3650",
    "100000", "9007199254740993", "1e308", "1e999", #""""#, #""drop""#, #""a\u0000b""#, "[]", "[3]",
    "[9, 1, 1]", "{}", #"{"a": {"a": []}}"#,
  ]

  /// Returns JSON with one to three other values or names, and now and then with other damage.
  ///
  /// Most of it can still be parsed, so that it reaches what looks at the values.
  public static func altered(json data: Data, by random: inout SeededGenerator) -> Data {
    var text = String(decoding: data, as: UTF8.self)
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let numbers = text.matches(of: /[:\[, ](-?[0-9][0-9.eE+-]*)/).map(\.output.1)
      if random.chance(0.6), !numbers.isEmpty {
        // Near the old one, which may still be allowed.
        let old = random.pick(numbers)
        let number = (Double(old) ?? 1) * random.pick([-1, 0, 0.5, 0.9, 1.5, 2, 10])
        let isWhole = random.chance(0.7) && number.magnitude < 1e15
        let other = isWhole ? "\(Int(number.rounded()))" : "\(number)"
        text.replaceSubrange(old.startIndex..<old.endIndex, with: other)
        continue
      }
      // Numbers, words and texts.
      let tokens = text.matches(of: /"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|true|false|null/)
      guard !tokens.isEmpty else { break }
      let place = random.pick(tokens).range
      let other = random.chance(0.2) ? String(text[random.pick(tokens).range]) : random.pick(values)
      text.replaceSubrange(place, with: other)
    }
    let altered = Data(text.utf8)
    return random.chance(0.1) ? damaged(altered, by: &random) : altered
  }

  /// Returns `data` with one to five changes.
  public static func damaged(_ data: Data, by random: inout SeededGenerator) -> Data {
    var bytes = [UInt8](data)
    for _ in 0..<Int.random(in: 1...5, using: &random) { change(&bytes, by: &random) }
    return Data(bytes)
  }

  private static func change(_ bytes: inout [UInt8], by random: inout SeededGenerator) {
    let place = Int.random(in: 0...bytes.count, using: &random)
    func part(_ most: Int, _ random: inout SeededGenerator) -> Range<Int> {
      place..<min(bytes.count, place + Int.random(in: 0...most, using: &random))
    }
    switch Int.random(in: 0..<7, using: &random) {
    case 0 where place < bytes.count:
      bytes[place] ^= UInt8(1 << Int.random(in: 0..<8, using: &random))
    case 1 where place < bytes.count: bytes[place] = .random(in: .min ... .max, using: &random)
    case 2: bytes.removeSubrange(part(40, &random))
    case 3: bytes.removeSubrange(place...)
    case 4: bytes.insert(contentsOf: Array(bytes[part(200, &random)]), at: place)
    case 5: bytes.replaceSubrange(part(12, &random), with: Array(random.pick(rubbish).utf8))
    default: bytes.insert(contentsOf: Array(random.pick(rubbish).utf8), at: place)
    }
  }
}
