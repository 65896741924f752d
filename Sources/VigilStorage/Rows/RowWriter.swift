public import Foundation
public import VigilModel

/// Takes the values of a row, column after column; nil is NULL.
public protocol RowWriter: AnyObject {
  func put(_ id: UUID?)
  func put(_ text: String?)
  func put(_ integer: Int?)
  func put(_ real: Double?)
  func put(_ day: Day?)
  func put(_ timestamp: Timestamp?)
  /// A JSON document.
  func put(json: String)
}
