import CCrypto
import CDigests
import TestSupport
import Testing

@testable import VigilModel

/// Both digests beside those of libcrypto.
@Suite struct DigestTailTests {
  private static func expected(_ message: [UInt8], _ kind: OpaquePointer?) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    #expect(EVP_Digest(message, message.count, &digest, &count, kind, nil) == 1)
    return Array(digest.prefix(Int(count)))
  }

  /// Around the ends of blocks of 64 bytes, too.
  @Test(arguments: [0, 1, 3, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1_000])
  func digestsAreThoseOfLibcrypto(_ count: Int) {
    for seed in 1...20 {
      var random = SeededGenerator(seed: seed)
      let message = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      // In two parts, as names are added.
      let first = Int.random(in: 0...count, using: &random)
      var sha1 = SHA1()
      var sha256 = SHA256()
      message.withUnsafeBytes {
        sha1.update(.init(rebasing: $0[..<first]))
        sha256.update(.init(rebasing: $0[..<first]))
      }
      let copy = sha1
      message.withUnsafeBytes {
        sha1.update(.init(rebasing: $0[first...]))
        sha256.update(.init(rebasing: $0[first...]))
      }
      #expect(
        sha1.finalize { Array($0) } == Self.expected(message, EVP_sha1()), "seed \(seed)")
      #expect(
        copy.finalize { Array($0) } == Self.expected(Array(message[..<first]), EVP_sha1()))
      #expect(sha256.finalize() == Self.expected(message, EVP_sha256()), "seed \(seed)")
      #expect(SHA256.digest(of: message) == SHA256.digest(of: AnySequence(message)))
    }
  }

  @Test("the processor's instructions do the same as the plain way")
  func processor() {
    for seed in 1...200 {
      var random = SeededGenerator(seed: seed)
      let blocks = (0..<(64 * (seed % 5))).map { _ in UInt8.random(in: 0...255, using: &random) }
      var states = (0..<8).map { _ in UInt32.random(in: 0...UInt32.max, using: &random) }
      var plain = states
      vigil_sha256_add(&states, blocks, seed % 5)
      vigil_sha256_add_plain(&plain, blocks, seed % 5)
      #expect(states == plain, "seed \(seed)")
      vigil_sha1_add(&states, blocks, seed % 5)
      vigil_sha1_add_plain(&plain, blocks, seed % 5)
      #expect(states == plain, "seed \(seed)")
    }
  }

  // FIPS 180-4, the example of one block.
  @Test("a digest is written in 64 digits")
  func hexadecimal() {
    #expect(
      SHA256.hexadecimal(of: "abc".utf8)
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }
}
