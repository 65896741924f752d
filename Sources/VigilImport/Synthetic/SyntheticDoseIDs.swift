import Foundation
import VigilModel

/// Ids of the dose rows of one medication, by their number.
///
/// Many are needed, so they come from a generator that is seeded with the medication's id, and not
/// from a hash each (RFC 9562, version 8).
struct SyntheticDoseIDs {
  private var generator: SplitMix64

  init(of medication: UUID) {
    let start = withUnsafeBytes(of: medication.uuid) { bytes in
      bytes[..<8].reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) }
    }
    generator = SplitMix64(seed: start)
  }

  mutating func next() -> UUID {
    var high = generator.next()
    var low = generator.next()
    high = high & ~0xF000 | 0x8000
    low = low & ~(0b11 << 62) | 0b10 << 62
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &bytes) { bytes in
      bytes.storeBytes(of: high.bigEndian, as: UInt64.self)
      bytes.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
    }
    return UUID(uuid: bytes)
  }
}
