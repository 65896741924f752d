import CVigil
import VigilModel

/// The rows of `VIGIL_EPISODES`.
struct EpisodeTable {
  private let columns: [EpisodeColumn]
  private var table: ResultTable

  /// - Parameter columns: In the order in which the rows have them.
  init(_ columns: [EpisodeColumn] = EpisodeColumn.all) {
    self.columns = columns
    table = ResultTable(columns.map(\.layout))
  }

  /// - Parameters:
  ///   - alerts: All of the person.
  ///   - medicationNames: By id, a medication as the caller names it.
  mutating func append(
    _ alerts: [Alert], of person: PersonRows, medicationNames: [UUID: String], profile: String
  ) {
    let ids = columns.contains(where: \.isOfIDs) ? alerts.map(\.id) : []
    for (index, alert) in alerts.enumerated() {
      let row = EpisodeColumn.Row(
        alert: alert, person: person, profile: profile,
        medicationName: alert.series.medication.map { medicationNames[$0] ?? $0.lowercased },
        ids: ids, place: (index, alert.start ?? index))
      table.beginRow()
      for column in columns { column.add(row, to: &table) }
    }
  }

  mutating func take() -> ArrowArrayStream { table.take() }
}
