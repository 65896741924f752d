import Foundation
import TestDatabases
import VigilModel
import VigilStorage

extension LateHistory {
  /// A database with what was known when the first night ran.
  func databaseBeforeFirstNight(_ kind: DatabaseKind) throws -> BatchDatabase {
    try database(kind) { content($0, on: nights.lowerBound) }
  }

  /// A database that held the truth from the beginning.
  func timelyDatabase(_ kind: DatabaseKind) throws -> BatchDatabase {
    try database(kind, holding: truth)
  }

  private func database(
    _ kind: DatabaseKind, holding content: (Place) -> DayContent
  ) throws -> BatchDatabase {
    let database = try BatchDatabase(kind)
    let places = histories.persons.indices.flatMap { person in
      histories.days.map { Place(person: person, day: $0) }
    }
    try insert(places, into: database, holding: content)
    try database.insert(histories.members)
    return database
  }

  /// Brings `database` from the night before to what is known when `night` runs.
  func update(_ database: BatchDatabase, before night: Day) throws {
    try replace(changes(before: night), in: database) { content($0, on: night) }
  }

  /// Gives some days other rows.
  func replace(
    _ places: [Place], in database: BatchDatabase, by content: (Place) -> DayContent
  ) throws {
    guard !places.isEmpty else { return }
    let list = places.map { "('\(histories.persons[$0.person].lowercased)', '\($0.day)')" }
      .joined(separator: ", ")
    try database.database.execute(
      ["wearable_daily_metrics", "exercise_sessions"].map {
        """
        DELETE FROM \($0)
        WHERE (CAST(user_id AS text), CAST(metric_date AS text)) IN (VALUES \(list))
        """
      }.joined(separator: "; "))
    try insert(places, into: database, holding: content)
  }

  private func insert(
    _ places: [Place], into database: BatchDatabase, holding content: (Place) -> DayContent
  ) throws {
    try database.storage.importRows { writer in
      for person in Set(places.map(\.person)) {
        try writer.ensureUser(histories.persons[person], externalID: nil, now: BatchDatabase.now)
      }
      let rows = try writer.inserter(
        into: .wearableDailyMetrics,
        columns: ["user_id", "metric_date", "source"] + histories.metrics, now: BatchDatabase.now)
      for place in places {
        for (source, values) in content(place).rows.sorted(by: { $0.key < $1.key }) {
          try rows.upsert(
            [.uuid(histories.persons[place.person]), .day(place.day), .text(source)]
              + values.map { $0.map(InputValue.real) ?? .null })
        }
      }
      let sessions = try writer.inserter(
        into: .exerciseSessions, columns: ["id", "user_id", "metric_date"],
        now: BatchDatabase.now)
      for place in places where content(place).isWorkout {
        let person = histories.persons[place.person]
        try sessions.upsert([
          .uuid(UUID(name: "\(person.lowercased) \(place.day)")), .uuid(person), .day(place.day),
        ])
      }
    }
  }
}
