import Foundation
import VigilModel
import VigilStorage

extension BatchDatabase {
  /// Sets the sensitivity of a metric for some persons.
  func choose(_ sensitivity: Sensitivity, for metric: MetricType, of persons: [UUID]) throws {
    try storage.importRows { writer in
      let rows = try writer.inserter(
        into: .sensitivityOverrides, columns: ["user_id", "metric_type", "sensitivity"],
        now: Self.now)
      for person in persons {
        try writer.ensureUser(person, externalID: nil, now: Self.now)
        try rows.upsert([.uuid(person), .text(metric.rawValue), .text(sensitivity.rawValue)])
      }
    }
  }
}
