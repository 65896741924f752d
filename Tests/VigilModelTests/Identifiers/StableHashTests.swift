import Foundation
import Testing
import VigilModel

@Suite("Stable hash")
struct StableHashTests {
  /// Databases hold such numbers: another process, or a later version, must come to the same.
  @Test("is the same in every process")
  func golden() throws {
    var hash = StableHash()
    #expect(hash.value == 0xA076_1D64_78BD_642F)
    hash.combine(42)
    let number = hash.value
    hash.combine(try #require(UUID(uuidString: "00010203-0405-0607-0809-0a0b0c0d0e0f")))
    let id = hash.value
    hash.combine("Europe/Madrid")
    #expect(
      [number, id, hash.value]
        == [7_800_015_083_459_737_585, 4_175_102_785_971_037_770, 9_119_517_960_324_705_977])
  }

  @Test("the hash differs by texts and their order")
  func texts() {
    func hash(_ texts: String...) -> UInt64 {
      var hash = StableHash()
      for text in texts { hash.combine(text) }
      return hash.value
    }
    let hashes = [hash(), hash(""), hash("ab"), hash("a", "b"), hash("b", "a"), hash("", "ab")]
    #expect(Set(hashes).count == hashes.count)
  }

  @Test("another seed or factor gives another hash")
  func seedAndFactor() {
    var hash = StableHash(seed: 7)
    hash.combine(42, by: 0xE703_7ED1_A0B4_28DB)
    #expect(hash.value == 11_213_200_944_158_944_855)
    #expect(hash.short == 2_755_028_110)
    var usual = StableHash(seed: 7)
    usual.combine(42 as UInt64)
    #expect(usual != hash)
  }

  /// The first numbers of the generator for the seed 0, as its authors publish them.
  @Test("scattering is the finalizer of SplitMix64")
  func scattering() {
    #expect(UInt64.splitMixIncrement.scattered == 0xE220_A839_7B1D_CDAF)
    #expect((UInt64.splitMixIncrement &* 2).scattered == 0x6E78_9E6A_A1B9_65F4)
  }

  @Test("a product is folded from both its halves")
  func folding() {
    #expect(UInt64.max.folded(by: 2) == .max)
    #expect(UInt64(3).folded(by: 5) == 15)
  }
}
