import VigilModel
public import VigilStorage

/// The output of `vigil quarantine list`: input rows that could not be used.
public struct QuarantineReport: Sendable {
  /// The newest first.
  public let rows: [QuarantinedRow]
  /// The number of all, shown or not.
  public let total: Int

  public init(rows: [QuarantinedRow], total: Int) {
    self.rows = rows
    self.total = total
  }
}

extension QuarantineReport: Report {
  public func text(style: TextStyle) -> String {
    guard !rows.isEmpty else { return "No row is quarantined.\n" }
    var table = TextTable([
      .init("Found", rank: 1), .init("Table"), .init("Where"), .init("Column", rank: 2),
      .init("Why"),
    ])
    table.rows = rows.map { row in
      [
        .init(row.foundAt?.minuteText ?? "–"), .init(row.table), .init(row.placeText),
        .init(row.column ?? "–"), .init(row.reason),
      ]
    }
    let count = "\(NumberText.count(total, "quarantined row"))."
    return table.render(style) + "\n"
      + (rows.count < total
        ? "\(count) Shown: the newest \(NumberText.count(rows.count)); --limit 0 lists all.\n"
        : "\(count)\n")
  }

  public func encode(to encoder: any Encoder) throws {
    let fields: JSONFields = [
      "rows": rows.map(\.fields), "shown": rows.count, "total": total,
    ]
    try fields.encode(to: encoder)
  }
}

extension QuarantinedRow {
  fileprivate var fields: JSONFields {
    [
      "table_name": table,
      "file": file,
      "line": line,
      "row_key": key,
      "column_name": column,
      "reason": reason,
      "run_id": runID,
      "created_at": foundAt,
    ]
  }

  /// The line of a file, or the key of a row of the database.
  fileprivate var placeText: String {
    guard let file else { return key ?? "–" }
    return line.map { "\(file):\($0)" } ?? file
  }
}
