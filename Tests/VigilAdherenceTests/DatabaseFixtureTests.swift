import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilAdherence
import VigilModel
import VigilStorage

/// The worked cases of the specification through both databases: they come to the same as the rows
/// themselves, which the other tests hold to the specification.
@Suite(.enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.absenceNote)))
struct DatabaseFixtureTests {
  private static let now = Timestamp(microseconds: 1_790_000_000_000_000)

  @Test(arguments: DatabaseKind.allCases)
  func casesComeToTheSame(kind: DatabaseKind) throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let database = try kind.makeMigratedDatabase(in: directory.path)
    let storage = try database.open()
    for fixture in AdherenceFixture.all {
      try database.execute("DELETE FROM users; DELETE FROM schedule_versions")
      let zones = ZoneCatalog.system
      try insert(fixture, into: storage, zones: zones)
      let rows = MedicationRows(zones: zones)
      let users = try (fixture.tables["medications"] ?? [])
        .map { try FixtureRows(zones: zones).medication($0).user }
      rows.begin(users, evaluatedAt: fixture.evaluatedAt)
      try storage.makeReader().readMedications(
        of: users, doses: fixture.window.recordTimes, into: rows)
      _ = try rows.takeVersions(evaluatingFrom: fixture.periodEnd)
      let evaluator = AdherenceEvaluator(zones: zones, keepsDoses: true)
      var (found, expected) = (AdherenceResult(), AdherenceResult())
      evaluator.evaluate(rows.block, over: fixture.window, into: &found)
      evaluator.evaluate(try fixture.block(zones), over: fixture.window, into: &expected)
      #expect(rows.unusable.isEmpty, "\(fixture.name)")
      #expect(found.analytics == expected.analytics, "\(fixture.name)")
      #expect(found.missedStreaks == expected.missedStreaks, "\(fixture.name)")
      #expect(found.doses == expected.doses, "\(fixture.name)")
      #expect(found.extraDoses == expected.extraDoses, "\(fixture.name)")
      #expect(found.asNeededDoses == expected.asNeededDoses, "\(fixture.name)")
    }
  }

  private func insert(
    _ fixture: AdherenceFixture, into storage: any Storage, zones: ZoneCatalog
  ) throws {
    let fixtureRows = FixtureRows(zones: zones)
    try storage.importRows { writer in
      for row in fixture.tables["medications"] ?? [] {
        try writer.ensureUser(fixtureRows.medication(row).user, externalID: nil, now: Self.now)
      }
      for table in InputTable.ofMedications {
        for row in fixture.tables[table.name] ?? [] {
          try insert(row, into: table, writer)
        }
      }
    }
    var adherence = AdherenceWrite(evaluatedAt: fixture.evaluatedAt)
    adherence.versions = try (fixture.tables["schedule_versions"] ?? []).map { row in
      let schedule = try fixtureRows.schedule(fixtureRows.member(row, "row"))
      return StoredScheduleVersion(
        schedule: schedule.id,
        validFrom: try fixtureRows.optional(row, "valid_from", Day.init)
          ?? StoredScheduleVersion.always,
        row: try ScheduleJSON.text(of: schedule, zones: zones))
    }
    _ = try storage.write(
      BatchWrite(
        alertStates: [], notifications: [], queue: .shadow, runID: UUID(), writtenAt: Self.now,
        adherence: adherence))
  }

  /// Inserts a row; columns that a fixture leaves out have made-up values without consequence.
  private func insert(_ row: JSON, into table: InputTable, _ writer: any ImportWriter) throws {
    var columns: [String] = []
    var values: [InputValue] = []
    for column in table.columns {
      let value = try row[column.name].map { try inputValue($0, column.kind) } ?? .null
      switch (value, column.kind) {
      case (.null, .word(let words)) where column.isRequired: values.append(.text(words[0]))
      case (.null, .text) where column.isRequired: values.append(.text("-"))
      case (.null, .timestamp) where column.name == "created_at":
        values.append(.timestamp(Self.now))
      case (.null, _): continue
      default: values.append(value)
      }
      columns.append(column.name)
    }
    if row["id"] == nil {
      columns.append("id")
      values.append(.uuid(UUID()))
    }
    try writer.inserter(into: table, columns: columns, now: Self.now).upsert(values)
  }

  private func inputValue(_ value: JSON, _ kind: InputTable.Kind) throws -> InputValue {
    switch (kind, value) {
    case (_, .null): return .null
    case (.person, .string(let text)), (.id, .string(let text)):
      return .uuid(try #require(UUID(uuidString: text)))
    case (.day, .string(let text)), (.plannedDay, .string(let text)):
      return .day(try #require(Day(text)))
    case (.timestamp, .string(let text)): return .timestamp(try #require(Timestamp(text)))
    case (.boolean, .boolean(let truth)): return .boolean(truth)
    case (.integer, .number(let number)): return .integer(Int64(number))
    case (.real, .number(let number)): return .real(number)
    case (.list, .array(let items)):
      let texts = items.map { item in
        item.string.map { "\"\($0)\"" } ?? "\(Int(item.number ?? 0))"
      }
      return .text("[\(texts.joined(separator: ","))]")
    case (_, .string(let text)): return .text(text)
    default: throw FixtureRows.Unreadable(column: "\(kind)")
    }
  }
}
