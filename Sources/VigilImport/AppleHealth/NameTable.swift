import Foundation

/// Names in the order in which they came, each with a number; the same ones mostly follow each other.
struct NameTable {
  private var all: [[CChar]] = []
  private var latest = 0
  private let limit: Int

  /// - Parameter limit: Names beyond so many have no number.
  init(limit: Int) { self.limit = limit }

  var count: Int { all.count }

  /// The number of a name, a new one where it was not there before; nil beyond the limit.
  mutating func number(of name: UnsafePointer<CChar>) -> Int? {
    if latest < all.count, strcmp(all[latest], name) == 0 { return latest }
    if let known = all.firstIndex(where: { strcmp($0, name) == 0 }) {
      latest = known
    } else {
      guard all.count < limit else { return nil }
      all.append(Array(UnsafeBufferPointer(start: name, count: strlen(name) + 1)))
      latest = all.count - 1
    }
    return latest
  }

  subscript(number: Int) -> String {
    all[number].withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }
}

/// Counts of names.
struct NameCounts {
  private var table: NameTable
  private var counts: [Int] = []

  /// - Parameter limit: Names beyond so many are not counted.
  init(limit: Int) { table = NameTable(limit: limit) }

  mutating func count(_ name: UnsafePointer<CChar>) {
    guard let number = table.number(of: name) else { return }
    if number == counts.count { counts.append(0) }
    counts[number] += 1
  }

  /// The names, the most frequent first.
  var names: [String] {
    counts.indices.sorted { counts[$0] > counts[$1] }.map { table[$0] }
  }
}
