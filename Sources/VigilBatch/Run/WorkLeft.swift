import Foundation
import VigilModel
import VigilStorage

/// The persons that a run still has to evaluate: all of them, except those of batches that it wrote before it
/// was cut off and whose input has not changed.
struct WorkLeft {
  /// Parts of the list of all persons, in its order.
  private(set) var ranges: [ArraySlice<UUID>] = []
  private(set) var personsDone = 0
  /// Checkpoints that no longer hold.
  private(set) var outdated: [BatchCheckpoint] = []

  /// Everything, for a run that has only begun.
  init(all persons: [UUID]) {
    if !persons.isEmpty { ranges = [persons[...]] }
  }

  /// - Parameters:
  ///   - persons: All that the run is about, ascending.
  ///   - checkpoints: The batches that it has written so far.
  ///   - fingerprint: The fingerprint of the present input of some of them.
  init(
    persons: [UUID], checkpoints: [BatchCheckpoint],
    fingerprint: (ArraySlice<UUID>) throws -> InputFingerprint
  ) rethrows {
    var done: [Range<Int>] = []
    for checkpoint in checkpoints {
      let range = persons.range(from: checkpoint.firstPerson, through: checkpoint.lastPerson)
      let now = try fingerprint(persons[range])
      var then = checkpoint.input
      // A new person in between makes it another batch. A missing person does not: a person without metrics was
      // in it for an episode only, which the batch has ended. Their workouts no longer count.
      if range.count < checkpoint.counts.persons {
        then.workoutDays = min(then.workoutDays, now.workoutDays)
      }
      guard range.count <= checkpoint.counts.persons, then.isUnchanged(in: now) else {
        outdated.append(checkpoint)
        continue
      }
      done.append(range)
    }
    var position = 0
    for range in done.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if position < range.lowerBound { ranges.append(persons[position..<range.lowerBound]) }
      position = range.upperBound
      personsDone += range.count
    }
    if position < persons.count { ranges.append(persons[position...]) }
  }
}

extension [UUID] {
  /// The indices of those from `first` to `last`, in an ascending list; O(log n).
  fileprivate func range(from first: UUID, through last: UUID) -> Range<Int> {
    let lower = partition { $0 >= first }
    return lower..<Swift.max(lower, partition { $0 > last })
  }

  /// The index of the first element that satisfies a condition that all after it satisfy too.
  private func partition(_ isBeyond: (UUID) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBeyond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
