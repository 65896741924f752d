import Foundation
import VigilModel

/// Reads instants of which most are the one before: an import writes all its rows at one time.
struct InstantMemory {
  private var text: [UInt8] = []
  private var instant: Timestamp?

  /// Nil for a text that is no instant.
  ///
  /// - Complexity: O(1) while the text stays the same.
  mutating func instant(_ bytes: UnsafeBufferPointer<UInt8>) -> Timestamp? {
    guard !isSame(bytes) else { return instant }
    text = Array(bytes)
    instant = Timestamp(utf8: bytes)
    return instant
  }

  private func isSame(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = bytes.baseAddress, bytes.count == text.count else {
      return bytes.isEmpty && text.isEmpty
    }
    return text.withUnsafeBufferPointer { known in
      known.baseAddress.map { memcmp($0, start, bytes.count) == 0 } ?? true
    }
  }
}
