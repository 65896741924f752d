import VigilModel
import VigilStorage

/// The conditions that the columns of one row of a table must meet together.
///
/// A column that a file leaves out counts as empty.
struct RowCheck {
  let now: Timestamp
  private let columns: [String]
  private let check: (RowCheck, Row) throws(RowProblem) -> Void

  /// Nil for a table without such conditions.
  init?(table: InputTable, columns: [InputTable.Column], now: Timestamp) {
    switch table {
    case .medications: check = { check, row throws(RowProblem) in try check.medication(row) }
    case .schedules: check = { check, row throws(RowProblem) in try check.schedule(row) }
    case .doseHistory: check = { check, row throws(RowProblem) in try check.dose(row) }
    case .timezoneEvents: check = { check, row throws(RowProblem) in try check.event(row) }
    case .checkInPlans: check = { check, row throws(RowProblem) in try check.plan(row) }
    case .personLimits: check = { check, row throws(RowProblem) in try check.limit(row) }
    case .emergencyContacts: check = { check, row throws(RowProblem) in try check.contact(row) }
    default: return nil
    }
    self.columns = columns.map(\.name)
    self.now = now
  }

  /// - Parameter values: As many as columns, in their order.
  func check(_ values: [InputValue]) throws(RowProblem) {
    try check(self, Row(columns: columns, values: values))
  }

  func require(
    _ condition: Bool, _ column: String, _ reason: String
  ) throws(RowProblem) {
    guard condition else { throw RowProblem(column: column, reason: reason) }
  }
}

extension RowCheck {
  /// The values of a row by column.
  struct Row {
    let columns: [String]
    let values: [InputValue]

    private func value(_ column: String) -> InputValue {
      columns.firstIndex(of: column).map { values[$0] } ?? .null
    }

    func text(_ column: String) -> String? {
      if case .text(let text) = value(column) { text } else { nil }
    }

    func day(_ column: String) -> Day? {
      if case .day(let day) = value(column) { day } else { nil }
    }

    func time(_ column: String) -> Timestamp? {
      if case .timestamp(let time) = value(column) { time } else { nil }
    }

    func truth(_ column: String) -> Bool {
      if case .boolean(let truth) = value(column) { truth } else { false }
    }

    func number(_ column: String) -> Double? {
      switch value(column) {
      case .real(let number): number
      case .integer(let number): Double(number)
      default: nil
      }
    }
  }
}
