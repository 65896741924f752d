import Foundation
import Testing
import VigilModel

@testable import VigilImport

/// `datasets/sample` is what `vigil generate` writes today.
///
/// With `VIGIL_RECORD` set, the test writes the sample anew, and fails to say so.
@Suite struct SampleDatasetTests {
  private let folder = packageRoot.appendingPathComponent("datasets/sample").path
  private let data: SyntheticData

  init() throws {
    // As datasets/README.md gives them.
    data = SyntheticData(
      people: 12, days: 120, seed: 212, endDate: try #require(Day("2026-06-30")), families: 4)
  }

  @Test func isWhatTheGeneratorWrites() throws {
    if ProcessInfo.processInfo.environment["VIGIL_RECORD"] != nil {
      _ = try data.write(to: folder, overwrites: true)
      Issue.record("wrote \(folder); run again without VIGIL_RECORD")
    }
    let fresh = try TemporaryFolder()
    _ = try data.write(to: fresh.path)
    var size = 0
    for name in SyntheticData.fileNames {
      let kept = try Data(contentsOf: URL(fileURLWithPath: path(of: name, in: folder)))
      let made = try Data(contentsOf: URL(fileURLWithPath: fresh.file(name)))
      #expect(kept == made, "\(name) differs")
      size += kept.count
    }
    #expect(size < 600_000)
  }

  @Test func hasEpisodesOfEveryLevelInSeveralPersons() throws {
    let text = try String(contentsOfFile: path(of: "labels.csv", in: folder), encoding: .utf8)
    let labels = text.split(separator: "\n").dropFirst().map { $0.split(separator: ",") }
    #expect(Set(labels.map { $0[6] }) == ["3", "7", "14", "21"])
    #expect(Set(labels.map { $0[0] }).count >= 6)
    // With a sliding baseline only a rule on the level itself reaches the upper levels.
    let onEfficiency = labels.filter { $0[1] == "sleep_efficiency_pct" }
    #expect(onEfficiency.contains { $0[6] == "21" })
  }

  @Test func hasEveryKindOfInvite() throws {
    let text = try String(
      contentsOfFile: path(of: "family_members.csv", in: folder), encoding: .utf8)
    let members = text.split(separator: "\n").dropFirst()
    #expect(Set(members.map { $0.prefix(36) }).count == 4)
    #expect(members.contains { $0.hasSuffix("pending") })
    #expect(members.contains { $0.hasSuffix("declined") })
  }
}
