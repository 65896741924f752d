import Foundation
import TestSupport

/// Makes damaged files of good ones, the same for the same generator.
enum FileDamage {
  /// Texts that a reader may stumble over.
  private static let rubbish = [
    "\0", "\u{FEFF}", "\r", "\"", ",", ";", "{", "[", "]]>", "<!--", "&#0;", "&amp", "null", "NaN",
    "-0", "1e999",
    "-1e-999", "18446744073709551616", "2026-02-30", "0000-00-00", "9999999999-01-01T00:00:00Z",
    "+99:99", "é\u{301}",
    String(repeating: "9", count: 400), String(repeating: "[", count: 3_000),
    String(repeating: "<a>", count: 500),
  ]

  /// Returns `data` with one to five changes.
  static func damaged(_ data: Data, by random: inout SeededGenerator) -> Data {
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
