import VigilModel
import VigilStorage

/// The columns of a table that the columns of a file stand for.
struct ColumnMapping {
  /// As many as the file has, in its order.
  let columns: [InputTable.Column]
  /// Whether the table's id has no column in the file and is the UUIDv5 of the row's natural key.
  let derivesID: Bool
  /// Columns that the file does not have, and that one of its rows empties.
  let cleared: [InputTable.Column]

  /// - Throws: `HeaderProblems` with everything that is wrong with the header.
  init(header: [String], table: InputTable, file: String) throws(HeaderProblems) {
    let known = table.columns.map(\.name)
    guard header.contains(where: known.contains) else {
      // The first line may be a row of values, so the message repeats no word of it.
      throw HeaderProblems(lines: [
        "\(file): the first line names no column of \(table.name)"
          + " (\(known.joined(separator: ", ")))\(Self.separatorHint(header))"
      ])
    }
    var problems: [String] = []
    var columns: [InputTable.Column] = []
    for name in header {
      guard let column = table.column(named: name) else {
        problems.append("\(file): unknown column '\(name)'\(Self.suggestion(for: name, in: known))")
        continue
      }
      if columns.contains(column) {
        problems.append("\(file): column '\(name)' is there more than once")
      }
      columns.append(column)
    }
    derivesID = table == .exerciseSessions && !header.contains("id")
    for column in table.columns where column.isRequired && !columns.contains(column) {
      if derivesID, column.name == "id" { continue }
      problems.append("\(file): column '\(column.name)' is missing")
    }
    guard problems.isEmpty else { throw HeaderProblems(lines: problems) }
    self.columns = columns
    cleared = table.replacesWholeRows ? table.columns.filter { !columns.contains($0) } : []
  }

  /// Spreadsheets of many countries write other separators than commas.
  private static func separatorHint(_ header: [String]) -> String {
    guard header.count == 1, let line = header.first else { return "" }
    if line.contains(";") { return "; its fields are separated by semicolons, commas are needed" }
    if line.contains("\t") { return "; its fields are separated by tabs, commas are needed" }
    return ""
  }

  private static func suggestion(for name: String, in known: [String]) -> String {
    NearestName.closest(to: name, among: known).map { "; did you mean '\($0)'?" } ?? ""
  }
}

/// The faults of a header, one line each.
struct HeaderProblems: Error {
  var lines: [String]
}
