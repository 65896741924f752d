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
  func put(_ truth: Bool?)
  /// A JSON document.
  func put(json: String)
  func put(_ bytes: [UInt8])
  /// An integer of a column of 32 bits, where a database distinguishes widths.
  func put(narrow integer: Int32)
}

extension RowWriter {
  public func put(narrow integer: Int32) { put(Int(integer)) }

  /// Puts a value as a JSON document, keys ascending.
  func put(encoding value: some Encodable) throws {
    put(json: String(decoding: try JSONEncoder.ofRows.encode(value), as: UTF8.self))
  }
}
