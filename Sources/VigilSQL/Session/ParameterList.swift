import Foundation
import VigilModel

/// The parameters of one statement, in the order in which a row codec puts its columns.
final class ParameterList: RowWriter {
  private(set) var values: [SQLValue] = []

  func put(_ id: UUID?) { values.append(id.sqlValue) }
  func put(_ text: String?) { values.append(text.sqlValue) }
  func put(_ integer: Int?) { values.append(integer.sqlValue) }
  func put(_ real: Double?) { values.append(real.sqlValue) }
  func put(_ day: Day?) { values.append(day.sqlValue) }
  func put(_ timestamp: Timestamp?) { values.append(timestamp.sqlValue) }
  func put(_ truth: Bool?) { values.append(truth.sqlValue) }
  func put(json: String) { values.append(.json(json)) }
  func put(_ bytes: [UInt8]) { values.append(.bytes(bytes)) }
}
