/// Numbers the sources of one person, so that a set of them is a set of bits.
///
/// A person has a handful of sources, however many there are in the database. From the 64th on
/// they share a bit, so that a change from one of those to another is not seen.
struct PersonSources {
  private var sources: [Int] = []
  private var latest = (source: -1, bit: UInt64(0))

  /// - Complexity: O(1) for the source of the call before, else O(sources of the person).
  mutating func bit(of source: Int) -> UInt64 {
    if source == latest.source { return latest.bit }
    let number = sources.firstIndex(of: source) ?? sources.count
    if number == sources.count { sources.append(source) }
    latest = (source, 1 << UInt64(min(number, 63)))
    return latest.bit
  }

  mutating func removeAll() {
    sources.removeAll(keepingCapacity: true)
    latest.source = -1
  }
}
