import Foundation
import TestSupport

/// The comments on columns of tables, as the migrations of PostgreSQL have them.
struct ColumnComments {
  private var comments: [String: [String: String]] = [:]

  init() throws {
    let folder = SharedFolder.repository.appending(path: "Sources/VigilPostgres/Migrations")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    let comment =
      /COMMENT ON COLUMN \{\{schema\}\}\.(?<table>\w+)\.(?<column>\w+) IS(?<texts>(?:\s*'(?:[^']|'')*')+);/
    for file in files where file.lastPathComponent.hasSuffix(".up.sql") {
      for found in try String(contentsOf: file, encoding: .utf8).matches(of: comment) {
        let text = found.output.texts.matches(of: /'((?:[^']|'')*)'/)
          .map { $0.output.1.replacing("''", with: "'") }.joined()
        comments[String(found.output.table), default: [:]][String(found.output.column)] = text
      }
    }
  }

  /// The comments of a table by its columns; empty where it has none.
  subscript(table: String) -> [String: String] { comments[table] ?? [:] }
}
