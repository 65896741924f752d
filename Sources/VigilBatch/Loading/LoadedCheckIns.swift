import Foundation
import VigilDetection
import VigilModel
import VigilStorage

/// The check-ins of a batch of persons, in the time zone of each.
struct LoadedCheckIns {
  /// By the place of the person; persons without any are left out.
  private(set) var histories: [Int: CheckInHistory] = [:]
  /// Changes with the rows.
  private(set) var digest = 0
  /// Plans that cannot be used.
  private(set) var unusable = UnusableRows()

  /// Nothing.
  init() {}

  /// - Parameters:
  ///   - ids: The persons.
  ///   - days: The days on which their check-ins count.
  ///   - zones: The rules of their time zones; a person without a zone has UTC.
  ///   - reader: Reads the rows.
  /// - Throws: `StorageError`.
  init(
    of ids: [UUID], on days: ClosedRange<Day>, zones: ZoneCatalog, from reader: any StorageReader
  ) throws {
    // Local days begin before those of UTC, and end after them.
    let found = try reader.checkIns(
      of: ids, at: (days.lowerBound - 1).midnight...(days.upperBound + 2).midnight)
    unusable = found.unusable
    let places = found.checkIns.indices.filter { !found.checkIns[$0].isEmpty }
    guard !places.isEmpty else { return }
    let profiles = try reader.profiles(of: places.map { ids[$0] })
    for place in places {
      let checkIns = found.checkIns[place]
      let zone = profiles[ids[place]]?.timeZone
      histories[place] = CheckInHistory(
        checkIns, zone: zone.flatMap(zones.rules) ?? ZoneRules(offsetSeconds: 0))
      var hash = StableHash()
      hash.combine(ids[place])
      hash.combine(zone ?? "")
      hash.combine(UInt64(checkIns.times.count))
      for time in checkIns.times { hash.combine(UInt64(bitPattern: time.microseconds)) }
      if let plan = checkIns.plan {
        hash.combine(UInt64(bitPattern: Int64(plan.intervalMinutes)))
        hash.combine(UInt64(bitPattern: Int64(plan.graceMinutes)))
        hash.combine(UInt64(bitPattern: plan.startsAt.microseconds))
      }
      digest &+= Int(truncatingIfNeeded: hash.value)
    }
  }
}
