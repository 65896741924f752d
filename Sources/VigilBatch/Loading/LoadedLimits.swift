import Foundation
import VigilDetection
import VigilModel
import VigilStorage

/// The limits that are set for single persons of a batch (specification, limits.md section 1).
struct LoadedLimits {
  /// By the place of the person; persons without a limit are left out.
  private(set) var personal: [Int: [PersonLimit]] = [:]
  /// Changes with the rows; 0 where there are none.
  private(set) var digest = 0
  /// Rows that cannot be used.
  private(set) var unusable = UnusableRows()

  /// - Parameters:
  ///   - persons: The persons of the batch.
  ///   - metrics: Those that the profile follows; a limit of another has no effect, and is named.
  ///   - reader: Reads the rows.
  /// - Throws: `StorageError`.
  init(
    of persons: [UUID], followed metrics: [MetricThresholds], from reader: any StorageReader
  ) throws {
    let found = try reader.limits(of: persons)
    unusable = found.unusable
    guard !found.personal.isEmpty else { return }
    for (place, person) in persons.enumerated() {
      guard let own = found.personal[person] else { continue }
      personal[place] = own
      for limit in own where !metrics.contains(where: { $0.metric == limit.limit.metric }) {
        unusable.addRow(
          of: InputTable.personLimits.name, .unfollowedMetric,
          key: [
            person.lowercased, limit.limit.metric.rawValue, limit.limit.direction.rawValue,
            String(limit.limit.days), limit.days.lowerBound.description,
          ])
      }
      for limit in own {
        var hash = StableHash()
        hash.combine(person)
        hash.combine(limit.limit.metric.rawValue)
        hash.combine(limit.limit.direction.rawValue)
        hash.combine(limit.limit.value.bitPattern)
        hash.combine(UInt64(limit.limit.days))
        hash.combine(limit.limit.severity.rawValue)
        hash.combine(limit.days.description)
        digest &+= Int(truncatingIfNeeded: hash.value)
      }
    }
  }
}
