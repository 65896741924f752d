import Foundation
import TestDatabases
import Testing

/// Persons whose data no device can have measured, among others whose data are good.
@Suite struct AbsurdPersonTests {
  /// Persons with other ids than those of the sample, first, last and in between.
  private enum Person: String, CaseIterable {
    case ofExtremes = "00000000-0000-4000-8000-000000000001"
    case ofZeros = "77777777-7777-4777-8777-777777777777"
    case ofNothing = "80808080-8080-4080-8080-808080808080"
    case ofSources = "ffffffff-ffff-4fff-bfff-ffffffffffff"
  }

  private static let metrics = [
    "steps", "sleep_minutes", "hrv_ms", "resting_hr", "sleep_efficiency_pct", "movement_minutes",
    "deep_sleep_minutes",
  ]

  private static func insert(
    _ rows: [(day: String, source: String, values: [String])], of person: Person
  )
    -> String
  {
    guard !rows.isEmpty else { return "" }
    let time = "'2026-07-01T00:00:00.000000Z'"
    let columns = (["user_id", "metric_date", "source"] + metrics + ["created_at", "updated_at"])
      .joined(separator: ", ")
    let texts = rows.map { row in
      "('\(person.rawValue)', '\(row.day)', '\(row.source)', "
        + "\(row.values.joined(separator: ", ")), \(time), \(time))"
    }
    return
      "INSERT INTO wearable_daily_metrics (\(columns)) VALUES \(texts.joined(separator: ", "));\n"
  }

  /// From the first of April to the last of June.
  private static let days: [String] = [("04", 30), ("05", 31), ("06", 30)].flatMap {
    month, length in
    (1...length).map { "2026-\(month)-\($0 < 10 ? "0" : "")\($0)" }
  }

  /// Ordinary values, and now and then every kind of number that a double can be.
  private static func extremes(_ kind: DatabaseKind) -> [(String, String, [String])] {
    func number(_ text: String) -> String {
      switch kind {
      case .sqlite: text.replacing("Infinity", with: "9e999")
      case .postgres: "'\(text)'::double precision"
      }
    }
    let values = [
      "1e308", "-1e308", "1.7976931348623157e308", "Infinity", "-Infinity", "1e300", "-5",
      "5e-324", "-1e-300", "1e17", "1e99", "1e-9",
    ].map(number)
    return days.enumerated().map { index, day in
      let row = metrics.indices.map { metric in
        // Some weeks that make a baseline, runs of the same value, and a mixture.
        switch index {
        case ..<35: "\(100 + 7 * metric + index % 5)"
        case ..<65: values[(index / 6 + metric) % values.count]
        default: values[(index * 7 + metric * 5) % values.count]
        }
      }
      return (day, "ring", row)
    }
  }

  private func addAbsurdPersons(to database: TestDatabase) throws {
    let zero = Array(repeating: "0", count: Self.metrics.count)
    let nothing = Array(repeating: "NULL", count: Self.metrics.count)
    let far =
      switch database.kind {
      case .sqlite: ["-0044-03-15", "0000-01-01", "0001-01-01", "9999-12-31"]
      case .postgres: ["-infinity", "0044-03-15 BC", "0001-01-01", "5874897-12-31", "infinity"]
      }
    let users = Person.allCases.map {
      "('\($0.rawValue)', '2026-07-01T00:00:00.000000Z', '2026-07-01T00:00:00.000000Z')"
    }
    if database.kind == .postgres {
      // A table that existed before Vigil has no such constraint.
      try database.execute(
        "ALTER TABLE wearable_daily_metrics DROP CONSTRAINT wearable_daily_metrics_date_is_date")
    }
    try database.execute(
      "INSERT INTO users (id, created_at, updated_at) VALUES \(users.joined(separator: ", "));\n"
        + Self.insert(Self.extremes(database.kind), of: .ofExtremes)
        + Self.insert(far.map { ($0, "ring", zero) }, of: .ofExtremes)
        + Self.insert(Self.days.map { ($0, "ring", zero) }, of: .ofZeros)
        + Self.insert(Self.days.map { ($0, "ring", nothing) }, of: .ofNothing)
        + Self.insert(
          (0..<2000).map { source in
            ("2026-06-20", "s\(source)", Self.metrics.map { _ in "\(source % 900)" })
          }, of: .ofSources))
  }

  @Test(arguments: ["v1", "v2"], DatabaseKind.allCases)
  func absurdDataOfSomeChangeNothingForOthers(profile: String, kind: DatabaseKind) async throws {
    let clean = try SampleDatabase.imported(kind)
    let spoilt = try clean.copyOfDatabase()
    try addAbsurdPersons(to: spoilt.database)
    for folder in [clean, spoilt] {
      for command in [
        ["backfill", "--from", "2026-04-01", "--to", "2026-06-25", "--thresholds", profile],
        ["golive"],
        ["run", "--date", "2026-06-30", "--live", "--thresholds", profile],
      ] {
        let run = try await CommandRun.vigil(arguments: command, in: folder)
        #expect(run.status == 0, "\(run.errors)")
      }
    }
    let outcome = try spoilt.database.outcome()
    let others = outcome.filter { row in
      Person.allCases.allSatisfy { !row.contains($0.rawValue) }
    }
    #expect(others.count < outcome.count)
    #expect(try clean.database.outcome() == others)
    for row in outcome {
      let isFinite =
        !row.contains("inf") && !row.contains("Inf") && !row.lowercased().contains("nan")
      #expect(isFinite, "\(row)")
    }
    let absent = try spoilt.database.rows(
      """
      SELECT count(*) FROM pattern_alert_state
      WHERE baseline_value IS NULL OR recent_value IS NULL
        OR user_id = '\(Person.ofNothing.rawValue)' OR user_id = '\(Person.ofZeros.rawValue)'
      """)
    #expect(absent == ["0"] || profile == "v1", "no person is at rest whose device was not worn")
  }

  @Test(arguments: DatabaseKind.allCases)
  func absurdDataAreNoReasonToCrash(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(kind)
    try addAbsurdPersons(to: folder.database)
    for command in [
      // Before there are episodes, a night without data is one with nothing to do.
      ["run", "--date", "1999-01-01", "--max-bad-rows", "100%"], ["run", "--date", "2026-06-30"],
      ["alerts", "list", "--status", "all", "--limit", "0"], ["runs"],
    ] {
      let run = try await CommandRun.vigil(
        arguments: command, in: folder, isProcess: true)
      #expect(run.status == 0, "\(command): \(run.output)\(run.errors)")
      for text in ["infinity", "NaN", " BC", "-0044"] {
        #expect(!run.output.contains(text), "\(command): \(run.output)")
      }
    }
    let doctor = try await CommandRun.vigil("doctor", in: folder)
    // PostgreSQL takes such dates only where the constraint that forbids them is gone.
    #expect(doctor.status == (kind == .sqlite ? 0 : 69), "\(doctor.output)\(doctor.errors)")
    let failures = doctor.output.split(separator: "\n").filter { $0.contains("failure ") }
    #expect(failures.count == (kind == .sqlite ? 0 : 1), "\(doctor.output)")
    #expect(failures.allSatisfy { $0.contains("wearable_daily_metrics_date_is_date is missing") })
  }
}
