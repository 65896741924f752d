import Foundation
import VigilModel
import VigilStorage

/// Keeps what an import writes, in the order in which it was written.
final class InputRecorder: ImportWriter {
  typealias Row = [String: InputValue]

  private(set) var rows: [String: [Row]] = [:]
  private(set) var ensuredUsers: [UUID: String?] = [:]
  private(set) var quarantined: [QuarantinedRow] = []

  func inserter(
    into table: InputTable, columns: [String], now: Timestamp
  ) throws -> any RowInserter {
    Inserter { values in
      let row = Row(uniqueKeysWithValues: zip(columns, values))
      self.rows[table.name, default: []].append(row)
    }
  }

  func ensureUser(_ id: UUID, externalID: String?, now: Timestamp) throws -> Bool {
    ensuredUsers.updateValue(externalID, forKey: id) == nil
  }

  func hasRow(_ id: UUID, in table: InputTable) throws -> Bool {
    (rows[table.name] ?? []).contains { $0["id"] == .uuid(id) }
  }

  func daysWithMetrics(
    of person: UUID, source: String, in days: ClosedRange<Day>
  ) throws -> [Day] {
    []
  }

  func quarantine(_ row: QuarantinedRow, now: Timestamp) throws {
    quarantined.append(row)
  }

  private final class Inserter: RowInserter {
    private let insert: ([InputValue]) -> Void

    init(insert: @escaping ([InputValue]) -> Void) {
      self.insert = insert
    }

    func upsert(_ values: [InputValue]) throws {
      insert(values)
    }
  }
}
