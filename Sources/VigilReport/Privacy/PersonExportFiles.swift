public import Foundation
public import VigilModel
public import VigilStorage

/// The files of the archive of `vigil person export`: for each table JSON Lines and CSV, and a manifest.
public struct PersonExportFiles: Sendable {
  public let files: [File]

  public struct File: Sendable {
    public let name: String
    public let contents: [UInt8]
  }

  /// - Parameters:
  ///   - tables: The rows of the person.
  ///   - person: The person.
  ///   - now: The instant that counts as now.
  ///   - version: The version of the engine.
  /// - Throws: `EncodingError`, which the manifest never has.
  public init(
    _ tables: [PersonalRows], of person: UUID, at now: Timestamp, version: String
  ) throws {
    var files: [File] = []
    var entries: [ArchiveEntry] = []
    for table in tables {
      for (form, text) in [("jsonl", table.jsonLines), ("csv", table.csv)] {
        let file = File(name: "\(table.table).\(form)", contents: Array(text.utf8))
        files.append(file)
        entries.append(
          ArchiveEntry(
            name: file.name, table: table.table, rows: table.rows.count, contents: file.contents))
      }
    }
    let manifest: JSONFields = [
      "person": person,
      "exported_at": now,
      "engine_version": version,
      "files": entries,
    ]
    let text = try JSONDocument.text(of: manifest)
    self.files = [File(name: "manifest.json", contents: Array(text.utf8))] + files
  }
}

extension PersonalRows {
  /// An object for each row, with the columns in their order.
  fileprivate var jsonLines: String {
    rows.map { row in
      let members = zip(columns, row).map { column, value in
        "\(JSONString.quoted(column.name)):\(value.map { Self.json($0, column.type) } ?? "null")"
      }
      return "{\(members.joined(separator: ","))}\n"
    }.joined()
  }

  private static func json(_ value: String, _ type: ValueType) -> String {
    switch type {
    case .json: value
    case .boolean: value == "true" || value == "t" ? "true" : "false"
    // Infinity and NaN are no numbers of JSON.
    case .number: Double(value)?.isFinite == true ? value : JSONString.quoted(value)
    case .text: JSONString.quoted(value)
    }
  }

  /// A header and a line for each row (RFC 4180), an empty field for NULL.
  fileprivate var csv: String {
    ([columns.map(\.name)] + rows.map { $0.map { $0 ?? "" } }).map { fields in
      fields.map(\.csvField).joined(separator: ",") + "\n"
    }.joined()
  }
}
