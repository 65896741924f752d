import Foundation
import VigilModel
import VigilSQL
import VigilStorage

/// Bytes on their way to the server: values in binary format, each after its length.
final class BinaryBuffer {
  private var bytes: UnsafeMutableRawPointer
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int) {
    self.capacity = max(64, capacity)
    bytes = .allocate(byteCount: self.capacity, alignment: 16)
  }

  deinit {
    bytes.deallocate()
  }

  func removeAll() { count = 0 }

  /// Good until the buffer changes.
  var contents: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: count) }

  private func reserve(_ more: Int) {
    guard count + more > capacity else { return }
    capacity = max(capacity * 2, count + more)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    larger.copyMemory(from: bytes, byteCount: count)
    bytes.deallocate()
    bytes = larger
  }

  func append(_ integer: some FixedWidthInteger & BitwiseCopyable) {
    let size = MemoryLayout.size(ofValue: integer)
    reserve(size)
    bytes.storeBytes(of: integer.bigEndian, toByteOffset: count, as: type(of: integer))
    count += size
  }

  func append(_ contents: UnsafeRawBufferPointer) {
    guard let start = contents.baseAddress else { return }
    reserve(contents.count)
    (bytes + count).copyMemory(from: start, byteCount: contents.count)
    count += contents.count
  }
}

extension BinaryBuffer: RowWriter {
  func putNull() { append(Int32(-1)) }

  func put(_ id: UUID?) {
    guard let id else { return putNull() }
    append(Int32(16))
    withUnsafeBytes(of: id.uuid) { append($0) }
  }

  func put(_ bytes: [UInt8]) {
    append(Int32(bytes.count))
    bytes.withUnsafeBytes { append($0) }
  }

  func put(_ text: String?) {
    guard var text else { return putNull() }
    text.withUTF8 {
      append(Int32($0.count))
      append(UnsafeRawBufferPointer($0))
    }
  }

  func put(json: consuming String) {
    json.withUTF8 {
      append(Int32($0.count + 1))
      append(BinaryFormat.jsonbVersion)
      append(UnsafeRawBufferPointer($0))
    }
  }

  /// Always as `bigint`.
  func put(_ integer: Int?) {
    guard let integer else { return putNull() }
    append(Int32(8))
    append(Int64(integer))
  }

  /// As `integer`.
  func put(narrow integer: Int32) {
    append(Int32(4))
    append(integer)
  }

  func put(_ real: Double?) {
    guard let real else { return putNull() }
    append(Int32(8))
    append(real.bitPattern)
  }

  func put(_ day: Day?) {
    guard let day else { return putNull() }
    append(Int32(4))
    append(BinaryFormat.value(of: day))
  }

  func put(_ timestamp: Timestamp?) {
    guard let timestamp else { return putNull() }
    append(Int32(8))
    append(BinaryFormat.value(of: timestamp))
  }

  func put(_ truth: Bool?) {
    guard let truth else { return putNull() }
    append(Int32(1))
    append(UInt8(truth ? 1 : 0))
  }
}
