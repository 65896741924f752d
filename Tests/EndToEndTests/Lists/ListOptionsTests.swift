import Foundation
import TestDatabases
import TestSupport
import Testing

/// `--sort`, `--limit` and `--format csv` of every list.
@Suite struct ListOptionsTests {
  private func evaluated(_ kind: DatabaseKind = .sqlite) async throws -> TemporaryFolder {
    let folder = try SampleDatabase.imported(
      kind, then: [["backfill", "--from", "2026-06-01", "--to", "2026-06-20"]])
    return folder
  }

  private static let lists = [
    ["alerts", "list"], ["queue", "list", "--shadow"], ["runs", "list"], ["insights"],
    ["adherence"],
  ]

  @Test(arguments: DatabaseKind.allCases)
  func everyListHasAllRowsAsCSVAndAsManyAsAskedFor(kind: DatabaseKind) async throws {
    let folder = try await evaluated(kind)
    for list in Self.lists {
      func rows(_ arguments: String...) async throws -> [Substring] {
        let run = try await CommandRun.vigil(
          arguments: list + ["--format", "csv"] + arguments, in: folder)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.hasSuffix("\r\n"))
        return run.output.split(separator: "\r\n")
      }
      let all = try await rows("--limit", "0")
      #expect(all.count > 1, "\(list)")
      let columns = all[0].split(separator: ",").count
      #expect(columns > 10, "\(list)")
      let two = try await rows("--limit", "2")
      #expect(two == Array(all.prefix(3)), "\(list)")
    }
    let run = try await CommandRun.vigil(
      "alerts", "list", "--limit", "0", "--status", "all", "--format", "csv", in: folder)
    let export = try await CommandRun.vigil("export", "alerts", "--out", "-", in: folder)
    let listed = Set(run.output.split(separator: "\r\n"))
    let exported = Set(export.output.split(separator: "\r\n"))
    #expect(listed == exported)
  }

  private func values(
    _ key: String, of rows: String, _ arguments: [String], in folder: TemporaryFolder
  ) async throws -> [String] {
    let run = try await CommandRun.vigil(
      arguments: arguments + ["--limit", "0", "--format", "json"], in: folder)
    #expect(run.status == 0, "\(run.errors)")
    let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    let found = try #require((document as? [String: Any])?[rows] as? [[String: Any]])
    return found.map { "\($0[key] ?? "")" }
  }

  @Test func alertsAreSortedByWhatIsAskedFor() async throws {
    let folder = try await evaluated()
    func alerts(_ key: String, _ sort: String...) async throws -> [String] {
      try await values(key, of: "alerts", ["alerts", "list", "--status", "all"] + sort, in: folder)
    }
    let states = try await alerts("episode_status")
    #expect(states == states.sorted())
    #expect(Set(states).count == 2)
    let levels = try await alerts("current_level").compactMap { Int($0) }
    let active = states.prefix { $0 == "active" }.count
    #expect(Array(levels[..<active]) == levels[..<active].sorted(by: >))
    let since = try await alerts("active_since")
    for index in 1..<active where levels[index] == levels[index - 1] {
      #expect(since[index - 1] >= since[index])
    }
    let newest = try await alerts("active_since", "--sort", "newest")
    #expect(newest == newest.sorted(by: >))
    let longest = try await alerts("consecutive_true_days", "--sort", "longest").compactMap {
      Int($0)
    }
    #expect(longest == longest.sorted(by: >))
    let metrics = try await alerts("metric_type", "--sort", "metric")
    #expect(metrics == metrics.sorted())
    let persons = try await alerts("external_id", "--sort", "person")
    #expect(persons == persons.sorted())
    let changes = try await alerts("deviation_fraction", "--sort", "change")
      .map { abs(Double($0) ?? 0) }
    #expect(changes == changes.sorted(by: >))
  }

  @Test func otherListsAreSortedToo() async throws {
    let folder = try await evaluated()
    let people = try await values(
      "external_id", of: "rows", ["adherence", "--sort", "person"], in: folder)
    #expect(people == people.sorted())
    let rates = try await values("adherence_rate", of: "rows", ["adherence"], in: folder)
    let medications = try await values("medication_id", of: "rows", ["adherence"], in: folder)
    let own = zip(rates, medications).filter { $0.1 == "<null>" }.compactMap { Double($0.0) }
    #expect(own.count > 3 && own == own.sorted(), "\(own)")
    let severities = try await values("severity", of: "insights", ["insights"], in: folder)
    #expect(severities == severities.sorted())
    let pillars = try await values(
      "pillar", of: "insights", ["insights", "--sort", "pillar"], in: folder)
    let order = ["sleep", "movement", "stress", "adherence"]
    let places = pillars.compactMap { order.firstIndex(of: $0) }
    #expect(places == places.sorted() && !places.isEmpty)
    let recipients = try await values(
      "recipient_external_id", of: "notifications",
      ["queue", "list", "--shadow", "--sort", "recipient"], in: folder)
    #expect(recipients.count > 10 && recipients == recipients.sorted())
  }

  @Test(arguments: [
    (["alerts", "list", "--sort", "leve"], "none of attention"),
    (["queue", "--sort", "newst"], "did you mean newest?"), (["runs", "--limit", "-1"], "--limit"),
    (["insights", "--limit", "-1"], "--limit"),
    (["adherence", "--sort", "x"], "none of attention"),
  ])
  func wrongChoicesEndWith64(arguments: [String], mention: String) async throws {
    let folder = try TemporaryFolder()
    try await CommandRun.vigil(arguments: arguments, in: folder)
      .expectFailure(64, mentioning: mention)
  }
}
