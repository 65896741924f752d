import Foundation
import TestSupport
import Testing
import VigilModel

@testable import VigilStorage

@Suite struct HistoryPlanTests {
  private let owner = UUID(name: "owner")
  private let first = Day(ordinal: 20_000)

  /// The night after the owner's turn, and the blocks that there are then.
  private func night(_ days: Int = 200) -> (Day, [HistoryBlock]) {
    var night = first + days
    while !HistoryBlock.isDue(owner, on: night - 1) { night = night + 1 }
    let blocks = HistoryPlan.blocks(of: owner, from: first, on: night).map {
      HistoryBlock(owner: owner, days: $0, rows: [])
    }
    return (night, blocks)
  }

  private func plan(_ night: Day, _ blocks: [HistoryBlock]) -> HistoryPlan {
    HistoryPlan([owner], from: [first], on: night, known: [owner: blocks])
  }

  @Test func blocksWithoutAGapAreRead() throws {
    let (night, blocks) = night()
    let own = try #require(plan(night, blocks).copied.first)
    #expect(own.blocks == blocks)
    #expect(own.next == blocks[blocks.count - 1].days.upperBound + 1)
  }

  @Test func whoseFirstBlockIsMissingIsReadWhole() {
    let (night, blocks) = night()
    #expect(plan(night, Array(blocks.dropFirst())).whole == [0])
    #expect(plan(night, []).whole == [0])
  }

  @Test func blocksAreReadUpToAGap() throws {
    let (night, blocks) = night()
    var rest = blocks
    rest.remove(at: rest.count - 2)
    #expect(plan(night, rest).copied.first?.blocks == Array(blocks.dropLast(2)))
    // Too many days are left.
    rest.remove(at: rest.count - 2)
    #expect(plan(night, rest).whole == [0])
  }

  @Test func onTheirTurnAllRowsAreRead() throws {
    let (_, blocks) = night()
    let due = try #require((first + 200...first + 228).first { HistoryBlock.isDue(owner, on: $0) })
    #expect(plan(due, blocks).whole == [0])
  }

  @Test func aNightOfThePastReadsNoBlockAfterIt() throws {
    let (_, blocks) = night()
    let (past, _) = night(100)
    let own = try #require(plan(past, blocks).copied.first)
    #expect(own.blocks.allSatisfy { $0.days.lowerBound <= past })
    #expect(own.next > HistoryBlock.lastDay(ofNight: past))
  }
}
