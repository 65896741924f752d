import Testing

@testable import VigilModel

/// Compiled zone files, among them the examples of RFC 9636 appendix B.
@Suite struct TZifTests {
  private func rules(_ file: TZifBytes) throws -> ZoneRules { try ZoneRules(file: file.bytes) }

  /// Seconds ahead of UTC.
  private func offset(_ rules: ZoneRules, _ time: String) throws -> Int64 {
    let instant = try #require(Timestamp(time)).microseconds
    return (rules.local(instant) - instant) / 1_000_000
  }

  private func error(_ change: (inout TZifBytes) -> Void) -> TZifError? {
    var file = TZifBytes.honolulu(version: UInt8(ascii: "2"))
    change(&file)
    return error(file.bytes)
  }

  private func error(_ bytes: [UInt8]) -> TZifError? {
    do throws(TZifError) {
      _ = try ZoneRules(file: bytes)
      return nil
    } catch {
      return error
    }
  }

  // MARK: Versions

  @Test(arguments: ["2", "3", "4", "5"] as [Unicode.Scalar])
  func theSecondBlockCountsFromVersion2On(version: Unicode.Scalar) throws {
    let honolulu = try rules(.honolulu(version: UInt8(ascii: version)))
    // Types of the same offset are one period: HDT, HWT and HPT.
    #expect(honolulu.starts.count == 7)
    #expect(try offset(honolulu, "1800-01-01T00:00:00Z") == -37_886)
    #expect(try offset(honolulu, "1896-01-13T22:31:26Z") == -37_800)
    #expect(try offset(honolulu, "1896-01-13T22:31:25Z") == -37_886)
    #expect(try offset(honolulu, "1933-05-01T00:00:00Z") == -34_200)
    #expect(try offset(honolulu, "1945-08-14T23:30:00Z") == -34_200)
    #expect(try offset(honolulu, "1947-06-08T12:29:59Z") == -37_800)
    #expect(try offset(honolulu, "1947-06-08T12:30:00Z") == -36_000)
    #expect(try offset(honolulu, "2500-01-01T00:00:00Z") == -36_000)
  }

  @Test func aFileOfVersion1HasOneBlockAndNoRule() throws {
    let honolulu = try rules(.honolulu(version: 0))
    #expect(honolulu.starts.count == 6)
    #expect(try offset(honolulu, "1896-01-13T22:31:26Z") == -37_886)
    #expect(try offset(honolulu, "2037-01-01T00:00:00Z") == -36_000)
  }

  @Test func withoutAChangeTheRuleHoldsAtAllTimes() throws {
    // Jerusalem (RFC 9636 appendix B): the Friday before the last Sunday of March, written as 26
    // hours after a Thursday.
    let jerusalem = try rules(
      TZifBytes(version: UInt8(ascii: "3"), footer: "IST-2IDT,M3.4.4/26,M10.5.0"))
    #expect(try offset(jerusalem, "2026-03-26T23:59:59Z") == 7200)
    #expect(try offset(jerusalem, "2026-03-27T00:00:00Z") == 10_800)
    #expect(try offset(jerusalem, "2026-10-24T22:59:59Z") == 10_800)
    #expect(try offset(jerusalem, "2026-10-24T23:00:00Z") == 7200)
    #expect(try offset(jerusalem, "2100-07-01T00:00:00Z") == 10_800)
  }

  @Test func theRuleHoldsAfterTheLastChangeOnly() throws {
    let file = TZifBytes(
      times: [1_780_000_000], types: [1], localTypes: [(0, 0, 0), (3600, 0, 0)],
      footer: "CET-1CEST,M3.5.0,M10.5.0/3")
    let zone = try rules(file)
    // 2026-05-28T20:26:40Z, in what the rule calls summer time.
    #expect(try offset(zone, "2025-07-01T00:00:00Z") == 0)
    #expect(try offset(zone, "2026-05-28T20:26:39Z") == 0)
    #expect(try offset(zone, "2026-05-28T20:26:40Z") == 3600)
    #expect(try offset(zone, "2026-07-01T00:00:00Z") == 3600)
    #expect(try offset(zone, "2027-07-01T00:00:00Z") == 7200)
  }

  @Test func aChangeAtTheCreationOfTheWorldIsWhatHoldsFirst() throws {
    let file = TZifBytes(
      times: [-(1 << 59), 0, 1 << 62], types: [1, 0, 1],
      localTypes: [(0, 0, 0), (3600, 0, 0)], footer: "")
    let zone = try rules(file)
    #expect(zone.starts.count == 2)
    #expect(try offset(zone, "0001-01-01T00:00:00Z") == 3600)
    #expect(try offset(zone, "9999-01-01T00:00:00Z") == 0)
  }

  // MARK: Errors

  @Test func filesThatCountLeapSecondsAreRefused() {
    // UTC with the first of its leap seconds (RFC 9636 appendix B.1).
    let leap = [(second: Int64(78_796_800), correction: Int32(1))]
    #expect(error { $0.leapSeconds = leap } == .countsLeapSeconds)
    #expect(error(TZifBytes(version: 0, leapSeconds: leap).bytes) == .countsLeapSeconds)
    #expect("\(TZifError.countsLeapSeconds)".contains("right/"))
  }

  @Test func everyFaultHasItsError() {
    #expect(error { _ in } == nil)
    #expect(error([]) == .notTZif)
    #expect(error(Array("TZi".utf8)) == .notTZif)
    #expect(error(Array("# version 2025b".utf8)) == .notTZif)
    #expect(error { $0.version = UInt8(ascii: "1") } == .unknownVersion)
    #expect(error { $0.localTypes = [] } == .invalidCounts)
    #expect(error { $0.characters = "" } == .invalidCounts)
    #expect(error { $0.flagCount = 1 } == .invalidCounts)
    #expect(error { $0.flagCount = 0 } == nil)
    #expect(error { $0.times.swapAt(1, 2) } == .unorderedTransitions)
    #expect(error { $0.times[2] = $0.times[1] } == .unorderedTransitions)
    #expect(error { $0.types[3] = 6 } == .unknownType)
    #expect(error { $0.localTypes[2].offset = 86_400 } == .invalidType)
    #expect(error { $0.localTypes[2].offset = .min } == .invalidType)
    #expect(error { $0.localTypes[2].isDaylight = 2 } == .invalidType)
    #expect(error { $0.localTypes[2].name = 20 } == .invalidType)
    #expect(error { $0.footer = "HST" } == .invalidFooter)
    let many = (0..<10_001).map { Int64($0) * 100 }
    #expect(
      error {
        $0.times = many
        $0.types = [UInt8](repeating: 0, count: many.count)
      } == .invalidCounts)
  }

  @Test func aFileThatEndsAnywhereIsCutOff() {
    let bytes = TZifBytes.honolulu(version: UInt8(ascii: "2")).bytes
    for length in 4..<bytes.count {
      // The second header is looked for where the first block ends.
      let error = error(Array(bytes.prefix(length)))
      #expect(error == .truncated || error == .notTZif, "\(length)")
    }
    var counts = bytes
    // Counts with all bits set: of changes, then of characters.
    for position in [32, 40] {
      counts.replaceSubrange(position..<position + 4, with: [255, 255, 255, 255])
      #expect(error(counts) == .truncated)
    }
  }

  @Test func aFooterWithoutItsEndIsCutOff() {
    let bytes = TZifBytes(footer: "UTC0").bytes
    #expect(error(Array(bytes.dropLast())) == .truncated)
    // What follows it may be of a later version.
    #expect(error(bytes + Array("more".utf8)) == nil)
  }
}
