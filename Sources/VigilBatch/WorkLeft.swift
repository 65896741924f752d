import Foundation
import VigilModel
import VigilStorage

/// What a run still has to do: all persons, but for those of batches that it wrote before it was cut
/// off and whose input is still what it was.
struct WorkLeft {
  /// Parts of the list of all persons, in its order.
  private(set) var stretches: [ArraySlice<UUID>] = []
  private(set) var personsDone = 0
  /// Checkpoints that do not hold any more.
  private(set) var outdated: [BatchCheckpoint] = []

  /// - Parameters:
  ///   - persons: All that the run is about, ascending.
  ///   - checkpoints: What it has written so far.
  ///   - fingerprint: What there is of the input of some of them now.
  init(
    persons: [UUID], checkpoints: [BatchCheckpoint],
    fingerprint: (ArraySlice<UUID>) throws -> InputFingerprint
  ) rethrows {
    let place = Dictionary(uniqueKeysWithValues: persons.enumerated().map { ($1, $0) })
    var done: [Range<Int>] = []
    for checkpoint in checkpoints {
      // Somebody new in between makes it another batch.
      guard let first = place[checkpoint.firstPerson], let last = place[checkpoint.lastPerson],
        last - first + 1 == checkpoint.counts.persons,
        checkpoint.input.isUnchanged(in: try fingerprint(persons[first...last]))
      else {
        outdated.append(checkpoint)
        continue
      }
      done.append(first..<last + 1)
    }
    var position = 0
    for range in done.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if position < range.lowerBound { stretches.append(persons[position..<range.lowerBound]) }
      position = range.upperBound
      personsDone += range.count
    }
    if position < persons.count { stretches.append(persons[position...]) }
  }
}
