import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilBatch
import VigilModel
import VigilStorage

/// Persons who have left, in a database that a backfill has filled.
@Suite struct PersonsWhoLeftTests {
  private static let first = Day(ordinal: 20_000)
  private let gone = UUID(name: "gone")
  private let back = UUID(name: "back")
  private let zeros = UUID(name: "zeros on a table")
  private let silent = UUID(name: "silent now")
  private let well = UUID(name: "well")

  private func steps(_ person: UUID, _ days: some Sequence<Int>, _ value: Double = 8_000)
    -> BatchDatabase.Series
  {
    BatchDatabase.Series(
      person: person, metric: "steps",
      values: Dictionary(uniqueKeysWithValues: days.map { (Self.first + $0, value) }))
  }

  private func alerts(_ database: BatchDatabase) throws -> [PatternAlertState] {
    try database.storage.alertStates(matching: AlertFilter(metric: .inactivity))
  }

  private func filled(_ kind: DatabaseKind) throws -> BatchDatabase {
    let database = try BatchDatabase(kind)
    try database.insert([
      steps(gone, 0...99), steps(back, 0...99), steps(back, 150...155), steps(zeros, 0...99),
      steps(zeros, 100...155, 0), steps(silent, 0...150), steps(well, 0...155),
    ])
    try database.run(
      (Self.first + 90)...(Self.first + 155), thresholds: BatchDatabase.thresholds("v3"),
      kind: .backfill)
    return database
  }

  @Test(arguments: DatabaseKind.allCases)
  func whoComesBackHasNotLeft(kind: DatabaseKind) throws {
    let database = try filled(kind)
    let alerts = try alerts(database)
    #expect(Set(alerts.map(\.series.user)) == [gone, back, zeros, silent])
    let last = Self.first + 155
    #expect(try PersonsWhoLeft.among(alerts, on: last, in: database.storage) == [gone, zeros])
    // Before the rows of day 150, that person was away too.
    #expect(
      try PersonsWhoLeft.among(alerts, on: last - 6, in: database.storage) == [gone, back, zeros])
    // Before any of them was silent, no row says that they are back.
    #expect(
      try PersonsWhoLeft.among(alerts, on: Self.first, in: database.storage)
        == [gone, back, zeros])
  }

  @Test(arguments: DatabaseKind.allCases)
  func theNewestAlertThatIsNotRetractedDecides(kind: DatabaseKind) throws {
    let database = try filled(kind)
    let left = try #require(try alerts(database).first { $0.series.user == gone })
    var retracted = left
    retracted.episode.activeSince = left.episode.activeSince + 5
    retracted.episode.resolution = .init(day: left.episode.activeSince + 9, reason: .retracted)
    let last = Self.first + 155
    #expect(
      try PersonsWhoLeft.among([retracted, left], on: last, in: database.storage) == [gone])
    var later = retracted
    later.episode.resolution = .init(day: left.episode.activeSince + 9, reason: .recovered)
    #expect(try PersonsWhoLeft.among([left, later], on: last, in: database.storage).isEmpty)
    #expect(try PersonsWhoLeft.among([], on: last, in: database.storage).isEmpty)
  }
}
