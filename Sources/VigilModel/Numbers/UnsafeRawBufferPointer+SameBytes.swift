extension UnsafeRawBufferPointer {
  /// Whether both have the same bytes; eight at a time.
  package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    var place = 0
    while place + 8 <= count {
      guard
        loadUnaligned(fromByteOffset: place, as: UInt64.self)
          == other.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      else { return false }
      place += 8
    }
    while place < count {
      guard self[place] == other[place] else { return false }
      place += 1
    }
    return true
  }
}
