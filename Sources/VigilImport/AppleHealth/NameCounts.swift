import Foundation

/// Counts of names.
struct NameCounts {
  private var counts: [(name: [CChar], count: Int)] = []
  private var latest = 0
  private let limit: Int

  /// - Parameter limit: Names beyond so many are not counted.
  init(limit: Int) { self.limit = limit }

  /// Counts a name; the same ones mostly follow each other.
  mutating func count(_ name: UnsafePointer<CChar>) {
    if latest >= counts.count || strcmp(counts[latest].name, name) != 0 {
      if let index = counts.firstIndex(where: { strcmp($0.name, name) == 0 }) {
        latest = index
      } else {
        guard counts.count < limit else { return }
        counts.append((Array(UnsafeBufferPointer(start: name, count: strlen(name) + 1)), 0))
        latest = counts.count - 1
      }
    }
    counts[latest].count += 1
  }

  /// The names, the most frequent first.
  var names: [String] {
    counts.sorted { $0.count > $1.count }.map { count in
      count.name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }
  }
}
