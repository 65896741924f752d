public import VigilModel

/// The output of `vigil import`.
public struct ImportReport: Sendable {
  public struct Table: Sendable {
    public var name: String
    /// The name of the file its rows came from.
    public var file: String
    public var rowsRead: Int
    /// Rows inserted or updated.
    public var rowsWritten: Int
    /// Rows that could not be used; they are in `quarantined_rows`.
    public var quarantined: Int
    public var duplicatesMerged: Int

    public init(
      name: String, file: String, rowsRead: Int, rowsWritten: Int, quarantined: Int,
      duplicatesMerged: Int
    ) {
      self.name = name
      self.file = file
      self.rowsRead = rowsRead
      self.rowsWritten = rowsWritten
      self.quarantined = quarantined
      self.duplicatesMerged = duplicatesMerged
    }

    /// Several files may go into one table.
    fileprivate var title: String {
      file == "\(name).csv" ? name : "\(name) (\(file.terminalSafe))"
    }
  }

  public var database: String
  public var tables: [Table]
  /// Persons created because other tables name them.
  public var personsCreated: Int
  /// Files of the folder that belong to no input table.
  public var ignoredFiles: [String]
  /// Files that have the contents of another one, and were not read.
  public var repeatedFiles: [String]
  /// Stored days within those of an export, of the same person and source, that the export does not have.
  public var missingDays: [Day]
  /// Whether the values of these days were removed.
  public var removesMissingDays: Bool
  /// First and last day of all metrics in the database; nil where there are none.
  public var metricDays: ClosedRange<Day>?
  /// Whether a run has evaluated the database before.
  public var isEvaluated = false

  public init(
    database: String, tables: [Table], personsCreated: Int, ignoredFiles: [String] = [],
    repeatedFiles: [String] = [], missingDays: [Day] = [], removesMissingDays: Bool = false,
    metricDays: ClosedRange<Day>? = nil
  ) {
    self.database = database
    self.tables = tables
    self.personsCreated = personsCreated
    self.ignoredFiles = ignoredFiles
    self.repeatedFiles = repeatedFiles
    self.missingDays = missingDays
    self.removesMissingDays = removesMissingDays
    self.metricDays = metricDays
  }
}

extension ImportReport: Report {
  public func text(style: TextStyle) -> String {
    var table = TextTable([
      .init("Table"), .init("Read", .right), .init("Written", .right), .init("Merged", .right),
      .init("Quarantined", .right),
    ])
    table.rows = tables.map {
      [
        .init($0.title), .init(NumberText.count($0.rowsRead)),
        .init(NumberText.count($0.rowsWritten)), .init(NumberText.count($0.duplicatesMerged)),
        .init(NumberText.count($0.quarantined), $0.quarantined > 0 ? .medium : nil),
      ]
    }
    var lines = ["Imported into \(database.terminalSafe)."]
    if personsCreated > 0 {
      lines.append(
        "\(NumberText.count(personsCreated, "person")) created, whom no users.csv names.")
    }
    if tables.contains(where: { $0.quarantined > 0 }) {
      lines.append("Why rows were quarantined: vigil quarantine list.")
    }
    if !ignoredFiles.isEmpty {
      let names = ignoredFiles.map(\.terminalSafe).joined(separator: ", ")
      lines.append("Left alone, no input table: \(names).")
    }
    if !repeatedFiles.isEmpty {
      let names = repeatedFiles.map(\.terminalSafe).joined(separator: ", ")
      lines.append("Not read, the same as another file: \(names).")
    }
    if !missingDays.isEmpty { lines.append(missingLine) }
    if let days = metricDays {
      lines.append(
        isEvaluated
          ? "Next: vigil run, which evaluates the nights that late data change again."
          : "Next: vigil backfill --from \(days.lowerBound) --to \(days.upperBound), then nightly"
            + " vigil run.")
    }
    return table.render(style) + "\n" + lines.map { $0 + "\n" }.joined()
  }

  private var missingLine: String {
    let count = missingDays.count
    var names = missingDays.prefix(3).map { "\($0)" }.joined(separator: ", ")
    if count > 3 { names += ", ..." }
    let days = "\(NumberText.count(count, "stored day")) not in the files: \(names)"
    return removesMissingDays
      ? "Removed the values of \(days)."
      : "Kept \(days). Import again with --replace to remove \(count == 1 ? "it" : "them")."
  }

  public func encode(to encoder: any Encoder) throws {
    let fields: JSONFields = [
      "database": database,
      "tables": tables.map(\.fields),
      "persons_created": personsCreated,
      "ignored_files": ignoredFiles,
      "repeated_files": repeatedFiles,
      "missing_days": missingDays,
      "removes_missing_days": removesMissingDays,
      "first_metric_date": metricDays?.lowerBound,
      "last_metric_date": metricDays?.upperBound,
    ]
    try fields.encode(to: encoder)
  }
}

extension ImportReport.Table {
  fileprivate var fields: JSONFields {
    [
      "name": name,
      "file": file,
      "rows_read": rowsRead,
      "rows_written": rowsWritten,
      "quarantined": quarantined,
      "duplicates_merged": duplicatesMerged,
    ]
  }
}
