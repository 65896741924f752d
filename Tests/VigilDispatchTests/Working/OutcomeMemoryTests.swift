import Foundation
import Testing
import VigilModel
import VigilStorage

@testable import VigilDispatch

@Suite("Outcomes that the database does not have")
struct OutcomeMemoryTests {
  private static let start = ContinuousClock.now
  private struct Away: Error {}

  private func outcome(_ name: String) -> DispatchOutcome {
    DispatchOutcome(.sent, of: DispatchLease(id: UUID(name: name), fencingToken: 1))
  }

  @Test("outcomes stay, in their order, until the database has them")
  func kept() {
    var memory = OutcomeMemory()
    #expect(memory.begin(at: Self.start) == nil)
    memory.add(outcome("a"))
    #expect(memory.begin(at: Self.start) == [outcome("a")])
    memory.add(outcome("b"))
    #expect(memory.begin(at: Self.start) == nil)
    #expect(memory.count == 2 && memory.leases == [outcome("b").lease])
    memory.failed(Away(), at: Self.start)
    #expect(memory.isStalled(at: Self.start))
    #expect(memory.begin(at: Self.start) == nil)
    #expect(memory.begin(at: Self.start + .seconds(1)) == [outcome("a"), outcome("b")])
    memory.recorded()
    #expect(memory.isEmpty && !memory.isStalled(at: Self.start + .seconds(1)))
  }

  @Test("tries become rarer, and end for a sender that ends")
  func patience() {
    var memory = OutcomeMemory()
    memory.add(outcome("a"))
    var now = Self.start
    var tries = 0
    while now < Self.start + .seconds(600) {
      if memory.begin(at: now) != nil {
        tries += 1
        #expect(!memory.hasFailed(for: .zero, at: now))
        memory.failed(Away(), at: now)
      }
      now += .milliseconds(100)
    }
    #expect((40...60).contains(tries), "\(tries)")
    #expect(memory.hasFailed(for: .seconds(599), at: now))
    #expect(!memory.hasFailed(for: .seconds(601), at: now))
    #expect(memory.giveUp() == [outcome("a")])
    #expect(memory.isEmpty)
  }

  @Test("nothing new begins while the database takes long")
  func slow() {
    var memory = OutcomeMemory()
    memory.add(outcome("a"))
    _ = memory.begin(at: Self.start)
    #expect(!memory.isStalled(at: Self.start + .milliseconds(900)))
    #expect(memory.isStalled(at: Self.start + .milliseconds(1100)))
  }
}
