public import VigilModel

/// The days of a block of persons on which doses without a record are no misses: no one was there to record them,
/// or what brings the rows in was broken (specification, evidence-doses.md section 1).
///
/// ```swift
/// guard let day = Day("2026-06-12") else { return }
/// let days = UnrecordedDays(broken: [day], silent: [3: [day + 1]])
/// print(days[0].count, days[3].count)  // 1 2
/// ```
public struct UnrecordedDays: Hashable, Sendable {
  /// Days on which the feed of doses was broken, for all persons.
  public var broken: Set<Day>
  /// By person of the block, the silent days of those whom silence watches.
  public var silent: [Int: Set<Day>]

  public init(broken: Set<Day> = [], silent: [Int: Set<Day>] = [:]) {
    self.broken = broken
    self.silent = silent
  }

  /// The days of one person.
  public subscript(person: Int) -> Set<Day> {
    guard let silent = silent[person] else { return broken }
    return broken.isEmpty ? silent : silent.union(broken)
  }
}
