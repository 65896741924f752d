import Foundation
import VigilAdherence
import VigilModel

extension UnusableRow.Reason: Error {}

extension RowReader {
  /// A day that may be NULL; unlike `try? dayIfPresent()` this tells NULL from a day that is none.
  mutating func dayIfPresentOrThrow() throws -> (day: Day?, isRead: Bool) {
    (try dayIfPresent(), true)
  }

  /// The columns of `schedules` that runs read, after the id.
  ///
  /// - Throws: `UnusableRow.Reason` for a row that cannot be used, or `StorageError`.
  mutating func schedule(id: UUID, zones: ZoneCatalog, lists: inout ListMemory) throws -> Schedule {
    let (medication, type) = try (uuid(), text())
    guard let zone = zones.id(of: try text()) else { throw UnusableRow.Reason.unknownTimezone }
    let isActive = try flagIfPresent() ?? true
    guard let start = try? day(), let end = try? dayIfPresentOrThrow() else {
      throw UnusableRow.Reason.impossibleDate
    }
    guard end.day.map({ $0 >= start }) ?? true else { throw UnusableRow.Reason.endBeforeStart }
    let (times, weekdays) = try (textIfPresent(), textIfPresent())
    let flexibility = try intIfPresent()
    guard flexibility ?? 0 >= 0 else { throw UnusableRow.Reason.impossibleValue }
    let hours = try doubleIfPresent()
    let first = try timestampIfPresent()
    let mostPerDay = try intIfPresent()
    let (minHours, mostAsNeeded) = try (doubleIfPresent(), intIfPresent())
    let timing: Schedule.Timing
    switch type {
    case "timeBased":
      guard let list = times.flatMap({ lists.times($0) }), !list.isEmpty,
        let days = lists.weekdays(weekdays ?? "[]")
      else { throw UnusableRow.Reason.impossibleTimes }
      timing = .timeBased(times: list, weekdays: days)
    case "intervalBased":
      guard let seconds = try Self.seconds(hours), seconds > 0 else {
        throw UnusableRow.Reason.impossibleInterval
      }
      guard let first else { throw UnusableRow.Reason.impossibleValue }
      timing = .intervalBased(seconds: seconds, first: first, maxDosesPerDay: mostPerDay)
    case "asNeeded":
      timing = .asNeeded(
        minIntervalSeconds: try Self.seconds(minHours), maxDosesPerDay: mostAsNeeded)
    default:
      throw UnusableRow.Reason.impossibleValue
    }
    return Schedule(
      id: id, medication: medication, timing: timing, referenceZone: zone, isActive: isActive,
      startDate: start, endDate: end.day, flexibilityMinutes: flexibility)
  }

  private static func seconds(_ hours: Double?) throws -> Int? {
    guard let hours else { return nil }
    guard (0...1_000_000).contains(hours) else { throw UnusableRow.Reason.impossibleInterval }
    return Int((hours * 3600).rounded())
  }
}
