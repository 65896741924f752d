import Foundation
import VigilModel
import VigilStorage

/// 128 bits that identify a row's key, so that millions of keys need little memory.
///
/// Two hashes with different factors. With a hundred million rows, the chance that two different
/// keys share a fingerprint is below 1 in 10^22.
struct Fingerprint: Equatable {
  private var first: StableHash
  private var second: StableHash

  var low: UInt64 { first.value }
  var high: UInt64 { second.value }

  /// The fingerprint of an empty key.
  init() {
    self.init(low: 0x9E37_79B9_7F4A_7C15, high: 0xD1B5_4A32_D192_ED03)
  }

  private init(low: UInt64, high: UInt64) {
    first = StableHash(seed: low)
    second = StableHash(seed: high)
  }

  /// A value that is no fingerprint.
  static let none = Fingerprint(low: 0, high: 0)

  mutating func combine(_ word: UInt64) {
    first.combine(word, by: 0xA076_1D64_78BD_642F)
    second.combine(word, by: 0xE703_7ED1_A0B4_28DB)
  }

  mutating func combine(_ value: InputValue) {
    switch value {
    case .null:
      combine(0)
    case .text(var text):
      combine(1)
      text.withUTF8 { bytes in
        combine(UInt64(bytes.count))
        for start in stride(from: 0, to: bytes.count, by: 8) {
          var word: UInt64 = 0
          for byte in bytes[start..<min(start + 8, bytes.count)] {
            word = word << 8 | UInt64(byte)
          }
          combine(word)
        }
      }
    case .integer(let number):
      combine(2)
      combine(UInt64(bitPattern: number))
    case .real(let number):
      combine(3)
      combine(number.bitPattern)
    case .boolean(let isTrue):
      combine(isTrue ? 5 : 4)
    case .uuid(let id):
      combine(6)
      let (first, second) = id.words
      combine(first)
      combine(second)
    case .day(let day):
      combine(7)
      combine(UInt64(bitPattern: Int64(day.ordinal)))
    case .timestamp(let timestamp):
      combine(8)
      combine(UInt64(bitPattern: timestamp.microseconds))
    }
  }
}
