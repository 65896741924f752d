import Foundation
import TestSupport
import Testing
import VigilModel

@testable import VigilStorage

@Suite struct HistoryBlockTests {
  private static let owners = (0..<60).map { UUID(name: "owner \($0)") }
  /// Before and after the first day of ordinals.
  private static let nights = [-100, 0, 20_000].map { Day(ordinal: $0) }

  @Test func eachOwnerHasATurnInSoManyNights() {
    for owner in Self.owners {
      for first in Self.nights {
        let turns = (0..<HistoryBlock.length).filter {
          HistoryBlock.isDue(owner, on: first + $0)
        }
        #expect(turns.count == 1)
      }
    }
  }

  @Test func theBlocksOfAnOwnerFollowEachOther() {
    for owner in Self.owners {
      for first in Self.nights {
        let days = HistoryBlock.days(of: owner, with: first)
        #expect(days.contains(first) && days.count == HistoryBlock.length)
        #expect(
          HistoryBlock.days(of: owner, with: days.upperBound + 1).lowerBound
            == days.upperBound + 1)
        #expect(days.allSatisfy { HistoryBlock.days(of: owner, with: $0) == days })
      }
    }
  }

  /// On its turn another block of an owner is complete, so that it is read whole once for both.
  @Test func aBlockIsCompleteOnTheTurnOfItsOwner() {
    for owner in Self.owners {
      for first in Self.nights {
        for night in first...first + 40 {
          let blocks = HistoryPlan.blocks(of: owner, from: first - 100, on: night)
          let last = HistoryBlock.lastDay(ofNight: night)
          #expect(blocks.last.map { last - $0.upperBound < HistoryBlock.length } == true)
          #expect((blocks.last?.upperBound == last) == HistoryBlock.isDue(owner, on: night))
        }
      }
    }
  }
}
