import VigilModel

/// The zones that records of an export name, and how often the clock of the export showed another time.
struct NamedZones {
  struct Zone {
    fileprivate var number: Int
    var rules: ZoneRules
  }

  private struct Count {
    var rules: ZoneRules?
    var records = 0
    var differences = 0
  }

  private var names = NameTable(limit: 1_000)
  private var counts: [Count] = []

  /// The zone of this name; nil where the system has none.
  mutating func zone(named name: UnsafePointer<CChar>, in catalog: ZoneCatalog) -> Zone? {
    guard let number = names.number(of: name) else { return nil }
    if number == counts.count {
      counts.append(Count(rules: catalog.rules(of: String(cString: name))))
    }
    return counts[number].rules.map { Zone(number: number, rules: $0) }
  }

  /// Counts a record that names the zone.
  mutating func count(_ zone: Zone, differs: Bool) {
    counts[zone.number].records += 1
    if differs { counts[zone.number].differences += 1 }
  }

  /// The zone of most records, where the clock of the export was another one at more than half of all.
  var home: (name: String, rules: ZoneRules)? {
    let (records, differences) = counts.reduce(into: (0, 0)) { sums, count in
      sums.0 += count.records
      sums.1 += count.differences
    }
    guard differences * 2 > records,
      let most = counts.indices.max(by: { counts[$0].records < counts[$1].records }),
      let rules = counts[most].rules
    else { return nil }
    return (names[most], rules)
  }
}
