import Foundation
import VigilModel
import VigilStorage

extension ImportSession {
  /// Finds the days that an earlier import stored of a source, within those of an export, and that the export does not
  /// have; removes their values where the options say so.
  ///
  /// A row stays without values: so late data are found by the next night, as for any row that changes.
  ///
  /// - Parameters:
  ///   - days: The days of the export, in order.
  ///   - person: The person whose export it is.
  ///   - source: The source of its rows.
  func settleMissingDays(_ days: [Day], of person: UUID, source: String) throws -> [Day] {
    guard let first = days.first, let last = days.last else { return [] }
    let present = Set(days)
    let missing = try writer.daysWithMetrics(of: person, source: source, in: first...last)
      .filter { !present.contains($0) }
    guard options.replacesMissingDays, !missing.isEmpty else { return missing }
    let metrics = InputTable.wearableMetrics
    let inserter = try writer.inserter(
      into: .wearableDailyMetrics,
      columns: ["user_id", "metric_date", "source"] + metrics.map(\.rawValue), now: options.now)
    for day in missing {
      try inserter.upsert(
        [.uuid(person), .day(day), .text(source)] + metrics.map { _ in .null })
    }
    return missing
  }
}

extension ImportOptions {
  /// The zone that is given, or else that of a person; nil where neither is known.
  ///
  /// - Throws: `ImportError` where there is no such zone.
  func zone(_ given: String?, of person: UUID) throws -> (name: String, rules: ZoneRules)? {
    if let given {
      guard let rules = zones.rules(of: given) else {
        throw ImportError(.usage, "\(given) is no time zone; give one such as Europe/Berlin")
      }
      return (given, rules)
    }
    guard let own = try timeZoneOfPerson(person), let rules = zones.rules(of: own)
    else { return nil }
    return (own, rules)
  }
}
