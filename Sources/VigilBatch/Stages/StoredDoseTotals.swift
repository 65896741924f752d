import Foundation
import VigilAdherence
import VigilModel

/// The 90-day rows of persons that the nights before have written, by the day on which they end.
struct StoredDoseTotals {
  private var rows: [Day: [UUID: DoseAnalytics]] = [:]

  init(_ totals: [DoseAnalytics]) {
    for row in totals { rows[row.period.days.upperBound, default: [:]][row.user] = row }
  }

  /// The persons for whom another row is stored, or none although a later day was evaluated before: that
  /// night was missed.
  ///
  /// - Parameters:
  ///   - totals: The rows that end on `day`, as they are now.
  ///   - lastEvaluated: By person, the last day that a run has evaluated.
  func changedPersons(
    from totals: [UUID: DoseAnalytics], on day: Day, lastEvaluated: [UUID: Day]
  ) -> Set<UUID> {
    let stored = rows[day] ?? [:]
    return Set(
      totals.filter { person, total in
        guard let known = stored[person] else {
          return lastEvaluated[person].map { $0 < day } ?? false
        }
        return known.dayDigest != total.dayDigest || known.measures != total.measures
      }.keys)
  }
}
