import VigilModel
public import VigilStorage

/// The output of `vigil retain`: old rows by table, and the archive that they are in.
public struct RetentionReport: Sendable {
  public let rows: [TableRowCount]
  public let cutoffs: [RetentionCutoff]
  /// The path of the archive; nil where nothing was removed.
  public let archive: String?
  /// The name of the database in messages.
  public let database: String
  public let isDryRun: Bool

  public init(
    rows: [TableRowCount], cutoffs: [RetentionCutoff], archive: String?, database: String,
    isDryRun: Bool
  ) {
    self.rows = rows
    self.cutoffs = cutoffs
    self.archive = archive
    self.database = database
    self.isDryRun = isDryRun
  }

  private func before(_ table: String) -> Day? {
    guard let subject = RetainedTable.named(table)?.subject else { return nil }
    return cutoffs.first { $0.subject == subject }?.before
  }
}

extension RetentionReport: Report {
  public func text(style: TextStyle) -> String {
    guard !cutoffs.isEmpty else { return "No rule: all rows are kept.\n" }
    guard !rows.isEmpty else {
      let rules = cutoffs.map { "\($0.subject.rawValue) before \($0.before)" }
      return
        "Nothing to remove from \(database.terminalSafe): no \(rules.joined(separator: ", ")).\n"
    }
    let count = NumberText.count(rows.reduce(0) { $0 + $1.rows }, "row")
    var text =
      "\(isDryRun ? "Would remove" : "Removed") \(count) (\(database.terminalSafe)).\n"
      + TextTable(
        pairs: rows.map { row in
          (
            row.table,
            NumberText.count(row.rows) + (before(row.table).map { " before \($0)" } ?? "")
          )
        }
      ).render(style)
    if isDryRun {
      text += "Nothing was changed. --yes writes them to an archive first, and removes them.\n"
    } else if let archive {
      text +=
        "They are in \(archive.terminalSafe). vigil retain restore brings them back.\n"
    }
    return text
  }

  public func encode(to encoder: any Encoder) throws {
    let fields: JSONFields = [
      "database": database,
      "dry_run": isDryRun,
      "archive": archive,
      "rows": rows.map { row -> JSONFields in
        ["table": row.table, "before": before(row.table), "rows": row.rows]
      },
    ]
    try fields.encode(to: encoder)
  }
}
