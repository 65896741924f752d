/// The sink's numbers for the sources met so far, found by their bytes and without a String.
public struct SourceIndexes {
  private var known: [(name: [UInt8], index: Int)] = []
  private var last = 0

  public init() {}

  /// - Complexity: O(1) while rows keep their source, O(sources) otherwise.
  public mutating func index(of name: UnsafeRawBufferPointer, ask: (String) -> Int) -> Int {
    if last < known.count, Self.isEqual(known[last].name, name) { return known[last].index }
    if let position = known.firstIndex(where: { Self.isEqual($0.name, name) }) {
      last = position
    } else {
      last = known.count
      known.append((Array(name), ask(String(decoding: name, as: UTF8.self))))
    }
    return known[last].index
  }

  private static func isEqual(_ left: [UInt8], _ right: UnsafeRawBufferPointer) -> Bool {
    left.withUnsafeBytes { $0.hasSameBytes(as: right) }
  }
}
