import Foundation
import VigilModel
import VigilStorage

extension BatchDatabase {
  /// Sets a limit for a person.
  func limit(
    _ direction: CriticalLimit.Direction, _ value: Double, days: Int = 1,
    severity: Severity = .attention, of person: UUID, on dates: ClosedRange<Day>,
    metric: MetricType = MetricType("resting_hr")
  ) throws {
    try storage.importRows { writer in
      let table = InputTable.personLimits
      let rows = try writer.inserter(
        into: table, columns: table.columns.map(\.name), now: Self.now)
      try writer.ensureUser(person, externalID: nil, now: Self.now)
      try rows.upsert([
        .uuid(person), .text(metric.rawValue), .text(direction.rawValue), .real(value),
        .integer(Int64(days)), .text(severity.rawValue), .day(dates.lowerBound),
        .day(dates.upperBound), .text("Dr. Lee"), .null,
      ])
    }
  }
}
