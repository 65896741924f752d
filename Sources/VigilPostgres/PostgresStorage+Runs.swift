public import Foundation
import VigilModel
public import VigilStorage

extension PostgresStorage {
  private static let upsertRun: String = {
    let columns = RunRow.columns
    return """
      INSERT INTO \(RunRow.table) (\(columns.joined(separator: ", ")))
      VALUES (\((1...columns.count).map { "$\($0)" }.joined(separator: ", ")))
      ON CONFLICT (id) DO UPDATE SET
        \(columns.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
      """
  }()

  public func record(_ run: RunRecord) throws {
    let parameters = Parameters()
    try RunRow.put(run, into: parameters)
    try withConnection(table: RunRow.table) { _ = try $0.run(Self.upsertRun, parameters) }
  }

  public func runs(limit: Int) throws -> [RunRecord] {
    try runs("ORDER BY started_at DESC, id LIMIT $1") { $0.put(max(0, limit)) }
  }

  public func run(id: UUID) throws -> RunRecord? {
    try runs("WHERE id = $1") { $0.put(id) }.first
  }

  private func runs(_ clause: String, _ fill: (Parameters) -> Void) throws -> [RunRecord] {
    try rows(
      "SELECT \(RunRow.columns.joined(separator: ", ")) FROM \(RunRow.table) \(clause)",
      Parameters(fill), of: RunRow.table, columns: RunRow.columns
    ) { try RunRow.decode($0) }
  }
}
