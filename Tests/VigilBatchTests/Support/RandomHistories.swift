import Foundation
import TestDatabases
import TestSupport
import VigilDetection
import VigilModel

/// Persons with random histories in every metric, their workouts and families: the same for the same
/// seed.
struct RandomHistories {
  static let first = Day(ordinal: 20_000)

  let persons: [UUID]
  let days: ClosedRange<Day>
  let metrics: [String]
  /// By person, by metric and day.
  private(set) var series: [[[Day: Double]]] = []
  private(set) var workouts: [Set<Day>] = []

  init(seed: Int, persons count: Int, days length: Int) throws {
    persons = (0..<count).map { UUID(name: "replay person \($0)") }
    days = Self.first...(Self.first + (length - 1))
    metrics = try BatchDatabase.thresholds("v1").wearableMetrics.map(\.metric.rawValue)
    for index in 0..<count {
      let histories = metrics.indices.map { offset in
        RandomSeries(seed: seed * 100_000 + index * 100 + offset, days: length)
      }
      series.append(histories.map { $0.byDay(from: Self.first) })
      workouts.append(Set(histories[0].workouts.map { Self.first + $0 }))
    }
  }

  var seriesCount: Int { persons.count * metrics.count }

  mutating func removeValues(ofPerson person: Int, metric: Int, on gap: ClosedRange<Day>) {
    for day in gap { series[person][metric][day] = nil }
  }

  /// A database that holds all of them.
  func database(_ kind: DatabaseKind) throws -> BatchDatabase {
    let database = try BatchDatabase(kind)
    var values: [BatchDatabase.Series] = []
    for (index, person) in persons.enumerated() {
      for (metric, days) in zip(metrics, series[index]) {
        values.append(.init(person: person, metric: metric, values: days))
      }
    }
    try database.insert(
      values, workouts: Dictionary(uniqueKeysWithValues: zip(persons, workouts)))
    try database.insert(members)
    return database
  }

  /// Families of three, some of whose invitations are pending.
  var members: [FamilyMember] {
    persons.enumerated().map { index, person in
      FamilyMember(
        family: UUID(name: "replay family \(index / 3)"), user: person,
        role: index % 3 == 0 ? .admin : .member,
        inviteStatus: index % 5 == 0 ? .pending : .accepted)
    }
  }
}
