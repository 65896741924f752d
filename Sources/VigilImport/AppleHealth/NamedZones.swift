import Foundation
import VigilModel

/// The zones that records of an export name, and how often the clock of the export showed another time.
struct NamedZones {
  struct Zone {
    fileprivate var index: Int
    var rules: ZoneRules
  }

  private struct Count {
    var name: [CChar]
    var rules: ZoneRules?
    var records = 0
    var differences = 0
  }

  private var counts: [Count] = []
  private var latest = 0

  /// More names than this are not looked up.
  private static let mostZones = 1_000

  /// The zone of this name; nil where the system has none.
  mutating func rules(of name: UnsafePointer<CChar>, in catalog: ZoneCatalog) -> Zone? {
    if latest >= counts.count || strcmp(counts[latest].name, name) != 0 {
      if let index = counts.firstIndex(where: { strcmp($0.name, name) == 0 }) {
        latest = index
      } else {
        guard counts.count < Self.mostZones else { return nil }
        counts.append(
          Count(
            name: Array(UnsafeBufferPointer(start: name, count: strlen(name) + 1)),
            rules: catalog.rules(of: String(cString: name))))
        latest = counts.count - 1
      }
    }
    return counts[latest].rules.map { Zone(index: latest, rules: $0) }
  }

  /// Counts a record that names the zone, by the clock of the export.
  mutating func compare(_ date: HealthDate, with zone: Zone) {
    counts[zone.index].records += 1
    if date.shown(in: zone.rules).offset != date.offset { counts[zone.index].differences += 1 }
  }

  /// The zone of most records, where the clock of the export was another one at more than half of all.
  var home: (name: String, rules: ZoneRules)? {
    let (records, differences) = counts.reduce(into: (0, 0)) { sums, count in
      sums.0 += count.records
      sums.1 += count.differences
    }
    guard differences * 2 > records, let most = counts.max(by: { $0.records < $1.records }),
      let rules = most.rules
    else { return nil }
    return (
      most.name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }, rules
    )
  }
}
