public import Foundation
import VigilDetection
public import VigilModel
public import VigilStorage

/// The persons who have left: their newest alert of silence ended so, and no row of theirs has a positive value since
/// (specification, silence.md section 5).
public enum PersonsWhoLeft {
  /// - Parameters:
  ///   - alerts: All alerts of silence of the persons to look at; others are ignored.
  ///   - day: The last day whose rows count.
  ///   - storage: The database.
  /// - Throws: `StorageError`.
  public static func among(
    _ alerts: [PatternAlertState], on day: Day, in storage: any Storage
  ) throws -> Set<UUID> {
    var since: [UUID: Day] = [:]
    for (person, own) in Dictionary(grouping: alerts, by: \.series.user) {
      let newest = own.filter {
        $0.series.metric == .inactivity && $0.episode.resolution?.reason != .retracted
      }.max { $0.episode.activeSince < $1.episode.activeSince }
      if let newest, newest.episode.resolution?.reason == .left {
        since[person] = newest.episode.activeSince
      }
    }
    let persons = since.keys.sorted()
    guard let first = since.values.min(), first <= day else { return Set(persons) }
    let rows = RowsSince(persons.map { since[$0] ?? first })
    try storage.makeReader().readMetrics(
      of: persons, days: first...day, metrics: [], reportsWear: true, into: rows)
    return Set(zip(persons, rows.found).filter { !$0.1 }.map(\.0))
  }
}

/// Finds out who has a row with a positive value on a day or later.
private final class RowsSince: MetricRowSink {
  private let days: [Day]
  private(set) var found: [Bool]

  /// - Parameter days: By person.
  init(_ days: [Day]) {
    self.days = days
    found = days.map { _ in false }
  }

  func index(ofSource name: String) -> Int { 0 }

  func append(
    person: Int, day: Day, source: Int, values: UnsafeBufferPointer<Double>,
    isOtherPositive: Bool, updatedAt: Timestamp?
  ) {
    if isOtherPositive, day >= days[person] { found[person] = true }
  }
}
