import CLibPQ
import Foundation
import VigilModel
import VigilSQL

/// The bound parameters of one statement, in binary format.
final class Parameters: RowWriter {
  private let buffer = BinaryBuffer(capacity: 256)
  private var types: [Oid] = []
  /// The beginning of each value, or nil for NULL.
  private var starts: [Int?] = []
  private var lengths: [CInt] = []

  init() {}

  convenience init(_ fill: (Parameters) -> Void) {
    self.init()
    fill(self)
  }

  private enum TypeID {
    static let bool: Oid = 16
    static let int8: Oid = 20
    static let text: Oid = 25
    static let bytea: Oid = 17
    static let float8: Oid = 701
    static let date: Oid = 1082
    static let timestamptz: Oid = 1184
    static let uuid: Oid = 2950
    static let jsonb: Oid = 3802
    static let textArray: Oid = 1009
    static let uuidArray: Oid = 2951
  }

  func put(_ id: UUID?) { add(TypeID.uuid, isNull: id == nil) { $0.put(id) } }
  func put(_ text: String?) { add(TypeID.text, isNull: text == nil) { $0.put(text) } }
  func put(_ integer: Int?) { add(TypeID.int8, isNull: integer == nil) { $0.put(integer) } }
  func put(_ real: Double?) { add(TypeID.float8, isNull: real == nil) { $0.put(real) } }
  func put(_ day: Day?) { add(TypeID.date, isNull: day == nil) { $0.put(day) } }
  func put(_ time: Timestamp?) { add(TypeID.timestamptz, isNull: time == nil) { $0.put(time) } }
  func put(_ bytes: [UInt8]) { add(TypeID.bytea, isNull: false) { $0.put(bytes) } }
  func put(json: String) { add(TypeID.jsonb, isNull: false) { $0.put(json: json) } }
  func put(_ truth: Bool?) { add(TypeID.bool, isNull: truth == nil) { $0.put(truth) } }

  convenience init(_ values: [SQLValue]) {
    self.init()
    for value in values { put(value) }
  }

  private func put(_ value: SQLValue) {
    switch value {
    case .null(let type): putNull(of: type)
    case .text(let text): put(text)
    case .integer(let integer): put(Int(integer))
    case .real(let real): put(real)
    case .boolean(let truth): put(truth)
    case .uuid(let id): put(id)
    case .day(let day): put(day)
    case .timestamp(let time): put(time)
    case .json(let text): put(json: text)
    case .bytes(let bytes): put(bytes)
    case .uuids(let ids): put(ids)
    case .texts(let texts): put(texts)
    }
  }

  private func putNull(of type: SQLType) {
    switch type {
    case .text: put(nil as String?)
    case .integer: put(nil as Int?)
    case .real: put(nil as Double?)
    case .boolean: put(nil as Bool?)
    case .uuid: put(nil as UUID?)
    case .day: put(nil as Day?)
    case .timestamp: put(nil as Timestamp?)
    case .uuids: add(TypeID.uuidArray, isNull: true) { _ in }
    case .texts: add(TypeID.textArray, isNull: true) { _ in }
    }
  }

  func put(_ ids: some Collection<UUID>) {
    addArray(TypeID.uuidArray, of: TypeID.uuid, ids) { $0.put($1) }
  }

  func put(_ texts: some Collection<String>) {
    addArray(TypeID.textArray, of: TypeID.text, texts) { $0.put($1) }
  }

  /// `write` puts a length and a value; only the value belongs to a parameter.
  private func add(_ type: Oid, isNull: Bool, _ write: (BinaryBuffer) -> Void) {
    types.append(type)
    guard !isNull else {
      starts.append(nil)
      lengths.append(0)
      return
    }
    let start = buffer.count + MemoryLayout<Int32>.size
    write(buffer)
    starts.append(start)
    lengths.append(CInt(buffer.count - start))
  }

  private func addArray<Element>(
    _ type: Oid, of elementType: Oid, _ elements: some Collection<Element>,
    _ write: (BinaryBuffer, Element) -> Void
  ) {
    add(type, isNull: false) { buffer in
      buffer.append(Int32(0))
      buffer.append(Int32(elements.isEmpty ? 0 : 1))  // dimensions
      buffer.append(Int32(0))  // holds no NULL
      buffer.append(elementType)
      guard !elements.isEmpty else { return }
      buffer.append(Int32(elements.count))
      buffer.append(Int32(1))  // lower bound
      for element in elements { write(buffer, element) }
    }
  }

  /// Calls `body` with what `PQexecParams` takes.
  func withArrays<Result>(
    _ body: (
      _ count: CInt, _ types: [Oid], _ values: [UnsafePointer<CChar>?], _ lengths: [CInt],
      _ formats: [CInt]
    ) -> Result
  ) -> Result {
    let base = buffer.contents.baseAddress
    let values = starts.map { start in
      start.flatMap { base?.advanced(by: $0).assumingMemoryBound(to: CChar.self) }
    }
    return body(
      CInt(types.count), types, values, lengths, Array(repeating: 1, count: types.count))
  }
}
