import Foundation
import Testing
import VigilModel
import VigilStorage

@testable import VigilImport

@Suite struct DigestTableTests {
  private func fingerprint(_ values: InputValue...) -> Fingerprint {
    var fingerprint = Fingerprint()
    for value in values { fingerprint.combine(value) }
    return fingerprint
  }

  @Test func keepsTheFirstDigestOfEveryKey() {
    var table = DigestTable()
    for number in 0..<50_000 {
      #expect(table.insert(UInt32(number), for: fingerprint(.integer(Int64(number)))) == nil)
    }
    for number in 0..<50_000 {
      #expect(table.insert(0, for: fingerprint(.integer(Int64(number)))) == UInt32(number))
    }
  }

  @Test func differentValuesHaveDifferentFingerprints() throws {
    let day = try #require(Day("2026-06-01"))
    let fingerprints = [
      fingerprint(), fingerprint(.null), fingerprint(.null, .null), fingerprint(.text("")),
      fingerprint(.text("a")), fingerprint(.text("a\0")), fingerprint(.text("a"), .text("b")),
      fingerprint(.text("ab"), .text("")), fingerprint(.text("longer than eight")),
      fingerprint(.text("longer than eighu")), fingerprint(.integer(0)), fingerprint(.real(0)),
      fingerprint(.boolean(false)), fingerprint(.boolean(true)), fingerprint(.day(day)),
      fingerprint(.day(day + 1)), fingerprint(.uuid(UUID(name: "a"))),
      fingerprint(.uuid(UUID(name: "b"))), fingerprint(.timestamp(Timestamp(microseconds: 0))),
    ]
    for (index, one) in fingerprints.enumerated() {
      #expect(fingerprints.firstIndex(of: one) == index)
    }
  }
}
