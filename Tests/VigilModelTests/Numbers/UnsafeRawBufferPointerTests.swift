import TestSupport
import Testing

@testable import VigilModel

@Suite struct UnsafeRawBufferPointerTests {
  @Test func onlyEqualBytesAreTheSame() {
    var random = SeededGenerator(seed: 3)
    for count in 0...40 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(isSame(bytes, bytes))
      #expect(!isSame(bytes, bytes + [0]))
      for place in bytes.indices {
        var other = bytes
        other[place] ^= 1
        #expect(!isSame(bytes, other), "\(count) bytes, \(place)")
      }
    }
  }

  private func isSame(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.withUnsafeBytes { left in right.withUnsafeBytes { left.hasSameBytes(as: $0) } }
  }
}
