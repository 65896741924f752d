import Foundation
import VigilModel

/// Of whom a night reads blocks, and of whom all rows.
struct HistoryPlan {
  /// An owner whose blocks are read, and the rows after them.
  struct Copied {
    /// The place among the owners.
    var place: Int
    /// The blocks of the owner that follow each other without a gap.
    var blocks: [HistoryBlock]
    /// The first day after them.
    var next: Day
  }

  private(set) var copied: [Copied] = []
  /// The places of the owners whose rows are all read.
  private(set) var whole: [Int] = []

  /// - Parameters:
  ///   - owners: The persons or medications.
  ///   - firstDays: By owner, the first day whose rows are wanted.
  ///   - night: The evaluated day.
  ///   - known: The stored blocks, in order.
  init(
    _ owners: [UUID], from firstDays: [Day], on night: Day, known: [UUID: [HistoryBlock]]
  ) {
    copied.reserveCapacity(owners.count)
    for (place, owner) in owners.enumerated() {
      let blocks = Self.blocks(of: known[owner] ?? [], from: firstDays[place], through: night)
      if let last = blocks.last?.days.upperBound, !HistoryBlock.isDue(owner, on: night),
        night - last <= HistoryBlock.mostDaysSince
      {
        copied.append(Copied(place: place, blocks: blocks, next: last + 1))
      } else {
        whole.append(place)
      }
    }
  }

  private static func blocks(
    of known: [HistoryBlock], from first: Day, through night: Day
  ) -> [HistoryBlock] {
    guard var end = known.firstIndex(where: { $0.days.contains(first) }) else { return [] }
    let start = end
    repeat {
      end += 1
    } while end < known.count && known[end].days.lowerBound == known[end - 1].days.upperBound + 1
      && known[end].days.lowerBound <= night
    return Array(known[start..<end])
  }

  /// The first day to read of an owner of whom blocks are to be made: that of the block with the first wanted day.
  static func firstDay(_ owner: UUID, wanted first: Day) -> Day {
    HistoryBlock.days(of: owner, with: first).lowerBound
  }

  /// The days of the blocks that an owner has once all rows were read.
  static func blocks(of owner: UUID, from first: Day, on night: Day) -> [ClosedRange<Day>] {
    let last = HistoryBlock.lastDay(ofNight: night)
    var blocks: [ClosedRange<Day>] = []
    var days = HistoryBlock.days(of: owner, with: first)
    while days.upperBound <= last {
      blocks.append(days)
      days = (days.upperBound + 1)...(days.upperBound + HistoryBlock.length)
    }
    return blocks
  }
}
