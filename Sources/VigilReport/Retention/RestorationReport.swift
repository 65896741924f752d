import VigilModel
public import VigilStorage

/// The output of `vigil retain restore`: the rows of an archive, and how many of them were restored, by table.
public struct RestorationReport: Sendable {
  /// The rows of the archive.
  public let archived: [TableRowCount]
  /// By table; empty for a dry run.
  public let restored: [String: RestoredRows]
  /// Rows of persons who were erased.
  public let erased: Int
  public let archive: String
  /// The name of the database in messages.
  public let database: String
  public let isDryRun: Bool

  public init(
    archived: [TableRowCount], restored: [String: RestoredRows], erased: Int, archive: String,
    database: String, isDryRun: Bool
  ) {
    self.archived = archived
    self.restored = restored
    self.erased = erased
    self.archive = archive
    self.database = database
    self.isDryRun = isDryRun
  }
}

extension RestorationReport: Report {
  public func text(style: TextStyle) -> String {
    let count = NumberText.count(archived.reduce(0) { $0 + $1.rows }, "row")
    var text = "\(archive.terminalSafe) is complete: \(count).\n"
    guard !isDryRun else {
      text += TextTable(pairs: archived.map { ($0.table, NumberText.count($0.rows)) }).render(style)
      return text + "Nothing was changed. --yes inserts those that are not there.\n"
    }
    text += "Restored into \(database.terminalSafe):\n"
    text += TextTable(
      pairs: archived.map { table in
        let rows = restored[table.table] ?? RestoredRows()
        let parts = [
          NumberText.count(rows.inserted),
          rows.present > 0 ? "\(NumberText.count(rows.present)) were there" : nil,
          rows.orphaned > 0
            ? "\(NumberText.count(rows.orphaned)) left out, as their person, medication or alert is gone"
            : nil,
        ]
        return (table.table, parts.compactMap(\.self).joined(separator: "; "))
      }
    ).render(style)
    if erased > 0 {
      text += "Left out: \(NumberText.count(erased, "row")) of persons who were erased.\n"
    }
    return text
  }

  public func encode(to encoder: any Encoder) throws {
    let fields: JSONFields = [
      "archive": archive,
      "database": database,
      "dry_run": isDryRun,
      "erased": erased,
      "rows": archived.map { table -> JSONFields in
        let rows = restored[table.table] ?? RestoredRows()
        return [
          "table": table.table, "archived": table.rows, "inserted": rows.inserted,
          "present": rows.present, "orphaned": rows.orphaned,
        ]
      },
    ]
    try fields.encode(to: encoder)
  }
}
