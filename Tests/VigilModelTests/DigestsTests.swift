import Crypto
import TestSupport
import Testing

@testable import VigilModel

/// The C library's digests beside those of swift-crypto, which the engine uses.
@Suite struct DigestsTests {
  /// Around the ends of blocks of 64 bytes, too.
  @Test(arguments: [0, 1, 3, 55, 56, 57, 63, 64, 65, 119, 120, 1_000])
  func digestsAreThoseOfSwiftCrypto(_ count: Int) {
    for seed in 1...20 {
      var random = SeededGenerator(seed: seed)
      let message = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      // In two parts, as names are added.
      var sha1 = SHA1()
      let first = Int.random(in: 0...count, using: &random)
      message.withUnsafeBytes { sha1.update(bufferPointer: .init(rebasing: $0[..<first])) }
      let copy = sha1
      message.withUnsafeBytes { sha1.update(bufferPointer: .init(rebasing: $0[first...])) }
      #expect(
        sha1.finalize().withUnsafeBytes(Array.init) == Array(Insecure.SHA1.hash(data: message)),
        "seed \(seed)")
      #expect(
        copy.finalize().withUnsafeBytes(Array.init)
          == Array(Insecure.SHA1.hash(data: message[..<first])))
      #expect(Digests.sha256(message) == Array(SHA256.hash(data: message)), "seed \(seed)")
    }
  }
}
