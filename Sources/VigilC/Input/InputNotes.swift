import CVigil
import VigilDetection
import VigilModel
import VigilVitality

/// Doubts about observations that can be read: columns that are no metrics, values that were left out, hours in
/// place of minutes.
struct InputNotes {
  /// The kind of a note, as `VIGIL_NOTES` names it.
  enum Kind: String {
    /// A column of texts, dates or the like, which nothing reads.
    case notRead = "not_read"
    /// A column of numbers whose name is none of Vigil's: it only says whether a device was worn.
    case unknownName = "unknown_name"
    /// Values that are infinite.
    case notFinite = "not_finite"
    /// Values outside the range that the profile calls plausible.
    case implausible
    /// Values that are in hours, as it seems, and should be in minutes.
    case hours
  }

  private struct Note {
    var column: String
    var kind: Kind
    var rows: Int?
  }

  private var notes: [Note] = []
  private var known: Set<String> = []
  /// By metric, the values that were left out since the last call.
  private var rejected: [MetricType: [Kind: Int]] = [:]
  private var sleepRows = 0
  private var hasMinutesOfSleep = false

  private static let sleep = MetricType("sleep_minutes")
  /// Columns of Vigil's own files, which are all read by some profile or by scores.
  private static let names = Set(
    (VitalityMetric.columns + [.wornMinutes]).map(\.rawValue) + [
      "spo2_avg_pct", "skin_temperature_c",
    ])
  /// No person sleeps for so few minutes night after night, or for more hours.
  private static let mostHours = 24.0
  /// So many short nights are no chance.
  private static let fewestNights = 7

  /// Notes a column that nothing reads.
  mutating func addNotRead(_ column: ArrowColumn) { add(column.name, .notRead) }

  /// Notes a column of numbers that the profile does not follow, unless its name is known.
  mutating func addUnfollowed(_ name: String) {
    // The number of a row, which data frames give along.
    guard !Self.names.contains(name), !name.hasPrefix("__index_level_") else { return }
    add(name, .unknownName)
  }

  private mutating func add(_ column: String, _ kind: Kind) {
    if known.insert(column).inserted { notes.append(Note(column: column, kind: kind)) }
  }

  /// Looks whether nights may be in hours, until one cannot be.
  mutating func look(at column: NumberColumn, of metric: MetricType, rows: Int) {
    guard metric == Self.sleep, !hasMinutesOfSleep else { return }
    withUnsafeTemporaryAllocation(of: Double.self, capacity: 1024) { buffer in
      guard let values = buffer.baseAddress else { return }
      for start in stride(from: 0, to: rows, by: buffer.count) where !hasMinutesOfSleep {
        let range = start..<min(start + buffer.count, rows)
        column.write(range, to: values, stride: 1)
        for value in buffer.prefix(range.count) where value > 0 {
          sleepRows += 1
          hasMinutesOfSleep = hasMinutesOfSleep || value > Self.mostHours
        }
      }
    }
  }

  /// Counts the values of a block that detection left out.
  mutating func add(_ quality: DataQuality, of metrics: [MetricType]) {
    guard !quality.rejections.isEmpty else { return }
    for (place, metric) in metrics.enumerated() {
      for (reason, kind) in [
        (DataQuality.Reason.notFinite, Kind.notFinite), (.implausible, .implausible),
      ] {
        let count = quality.count(metric: place, reason: reason)
        if count > 0 { rejected[metric, default: [:]][kind, default: 0] += count }
      }
    }
  }

  /// The notes since the last call, as rows of `VIGIL_NOTES`.
  mutating func take() -> ArrowArrayStream {
    var all = notes
    for (metric, counts) in rejected.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      for kind in [Kind.notFinite, .implausible] {
        if let count = counts[kind] {
          all.append(Note(column: metric.rawValue, kind: kind, rows: count))
        }
      }
    }
    if !hasMinutesOfSleep, sleepRows >= Self.fewestNights {
      all.append(Note(column: Self.sleep.rawValue, kind: .hours, rows: sleepRows))
    }
    (notes, rejected, sleepRows) = ([], [:], 0)
    var table = ResultTable([
      .text("column_name"), .text("note"), .integer("rows", nullable: true),
    ])
    for note in all {
      table.beginRow()
      table.add(note.column)
      table.add(note.kind.rawValue)
      table.add(note.rows.map { Int32(clamping: $0) })
    }
    return table.take()
  }
}
