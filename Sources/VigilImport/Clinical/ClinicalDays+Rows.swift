import VigilModel
import VigilStorage

extension ClinicalDays {
  /// The measurements of one row and metric.
  private struct Total {
    private var sum: Double?
    private var mean: (sum: Double, count: Double)?
    private var most: Double?

    mutating func add(_ value: Double, as ofDay: ClinicalLayout.OfDay) {
      switch ofDay {
      case .sum: sum = (sum ?? 0) + value
      case .mean: mean = ((mean?.sum ?? 0) + value, (mean?.count ?? 0) + 1)
      case .max: most = max(most ?? value, value)
      }
    }

    var value: Double? { [sum, mean.map { $0.sum / $0.count }, most].compactMap(\.self).max() }
  }

  /// Calls `body` with rows that have the same metrics, each row once; call it after all measurements are kept.
  ///
  /// - Throws: What `body` throws; `ImportError` where the file for many measurements cannot be written or read.
  func forEachGroup(_ body: (_ metrics: [MetricType], _ rows: [Row]) throws -> Void) throws {
    for part in 0..<identified.partCount { try countLastVersions(ofPart: part) }
    for part in 0..<counted.partCount {
      let groups = Dictionary(grouping: try rows(ofPart: part)) { row in
        InputTable.wearableMetrics.filter { row.values[$0] != nil }
      }
      for metrics in groups.keys.sorted(by: {
        $0.map(\.rawValue).lexicographicallyPrecedes($1.map(\.rawValue))
      }) {
        try body(metrics, groups[metrics] ?? [])
      }
    }
  }

  /// Takes the last version of each record, unless it was withdrawn.
  private func countLastVersions(ofPart part: Int) throws {
    var last: [ClinicalPart.Identity: Int] = [:]
    var place = 0
    try identified.forEach(ofPart: part) {
      last[$0.identity] = place
      place += 1
    }
    place = 0
    try identified.forEach(ofPart: part) {
      if last[$0.identity] == place, !$0.value.isNaN {
        try counted.append($0, hash: $0.hashOfRow)
      }
      place += 1
    }
  }

  private func rows(ofPart part: Int) throws -> [Row] {
    var totals: [ClinicalPart.Row: [MetricType: Total]] = [:]
    try counted.forEach(ofPart: part) {
      totals[$0.row, default: [:]][metrics[Int($0.measurement)], default: Total()]
        .add($0.value, as: layout.measurements[Int($0.measurement)].ofDay)
    }
    return totals.sorted {
      ($0.key.person, $0.key.day, $0.key.source) < ($1.key.person, $1.key.day, $1.key.source)
    }.map { row, totals in
      Row(
        person: persons[row.person], day: Day(ordinal: row.day), source: sources[row.source],
        values: totals.compactMapValues(\.value))
    }
  }
}

extension MetricUnit {
  /// The units that a text means: a code of UCUM, or a word of Open mHealth.
  static let clinical: [String: Set<MetricUnit>] = [
    "h": [.hours], "min": [.minutes], "s": [.seconds], "sec": [.seconds], "ms": [.milliseconds],
    "{steps}": [.count], "{step}": [.count], "steps": [.count], "1": [.count, .fraction],
    "/min": [.bpm, .perMinute], "{beats}/min": [.bpm], "beats/min": [.bpm], "bpm": [.bpm],
    "{breaths}/min": [.perMinute], "breaths/min": [.perMinute], "%": [.percent],
    "kcal": [.kcal], "kJ": [.kJ], "Cel": [.celsius], "C": [.celsius], "[degF]": [.fahrenheit],
    "F": [.fahrenheit],
  ]
}
