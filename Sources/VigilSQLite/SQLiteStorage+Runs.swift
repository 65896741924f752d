public import Foundation
import GRDB
import VigilModel
public import VigilStorage

extension SQLiteStorage {
  public func record(_ run: RunRecord) throws {
    try write(table: RunRow.table) { db in
      let columns = RunRow.columns
      let updates = columns.dropFirst().map { "\($0) = excluded.\($0)" }
      let upsert = try RawStatement(
        """
        INSERT INTO \(RunRow.table) (\(columns.joined(separator: ", ")))
        VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
        ON CONFLICT (id) DO UPDATE SET \(updates.joined(separator: ", "))
        """, on: db)
      try RunRow.put(run, into: upsert)
      try upsert.run()
    }
  }

  public func runs(limit: Int) throws -> [RunRecord] {
    try runs("ORDER BY started_at DESC, id LIMIT ?", max(0, limit))
  }

  public func run(id: UUID) throws -> RunRecord? {
    try runs("WHERE id = ?", id).first
  }

  private func runs(_ clause: String, _ value: some RawBindable) throws -> [RunRecord] {
    try read { db in
      let query = try RawStatement(
        "SELECT \(RunRow.columns.joined(separator: ", ")) FROM \(RunRow.table) \(clause)", on: db)
      query.putNext(value)
      var runs: [RunRecord] = []
      try query.forEachRow {
        try runs.append(
          RunRow.decode(RowDecoder($0, of: RunRow.table, columns: RunRow.columns, in: file)))
      }
      return runs
    }
  }
}
