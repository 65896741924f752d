import Synchronization
import Testing

@testable import VigilBatch

@Suite struct HandoverTests {
  /// An item that remembers what it was filled with.
  private final class Item: Sendable {
    let value = Mutex(-1)
  }

  private func handover(_ items: Int, fillingThreads: Int = 1) -> Handover<Item> {
    Handover((0..<items).map { _ in Item() }, fillingThreads: fillingThreads)
  }

  @Test func itemsComeInTheOrderInWhichTheyWereFilledAndAreFilledAgain() throws {
    let handover = handover(2)
    let used = Mutex<[Int]>([])
    try WorkerThreads.run([
      {
        for number in 0..<1000 {
          guard let item = handover.takeEmpty() else { break }
          item.value.withLock { $0 = number }
          handover.putFilled(item)
        }
        handover.fillingEnded()
      },
      {
        while let item = handover.takeFilled() {
          used.withLock { $0.append(item.value.withLock { $0 }) }
          handover.putEmpty(item)
        }
      },
    ])
    #expect(used.withLock { $0 } == Array(0..<1000))
  }

  @Test func everyItemIsUsedOnceByOneOfManyThreads() throws {
    let handover = handover(6, fillingThreads: 3)
    let next = Mutex(0)
    let used = Mutex<[Int]>([])
    let inUse = Mutex<Set<ObjectIdentifier>>([])
    let filling: @Sendable () throws -> Void = {
      while let item = handover.takeEmpty() {
        let number = next.withLock { next in
          defer { next += 1 }
          return next
        }
        guard number < 3000 else { break }
        item.value.withLock { $0 = number }
        handover.putFilled(item)
      }
      handover.fillingEnded()
    }
    let using: @Sendable () throws -> Void = {
      while let item = handover.takeFilled() {
        let isAlone = inUse.withLock { $0.insert(ObjectIdentifier(item)).inserted }
        #expect(isAlone)
        used.withLock { $0.append(item.value.withLock { $0 }) }
        inUse.withLock { _ = $0.remove(ObjectIdentifier(item)) }
        handover.putEmpty(item)
      }
    }
    try WorkerThreads.run([filling, filling, filling, using, using, using])
    #expect(used.withLock { $0.sorted() } == Array(0..<3000))
  }

  @Test func whatIsFilledIsHandedOutAfterFillingHasEnded() throws {
    let handover = handover(2)
    let item = try #require(handover.takeEmpty())
    handover.putFilled(item)
    handover.fillingEnded()
    #expect(handover.takeFilled() === item)
    #expect(handover.takeFilled() == nil)
  }

  @Test func closingHandsOutNothingMore() throws {
    let handover = handover(2)
    handover.putFilled(try #require(handover.takeEmpty()))
    #expect(!handover.isClosed)
    handover.close()
    #expect(handover.isClosed)
    #expect(handover.takeFilled() == nil)
    #expect(handover.takeEmpty() == nil)
  }

  /// Hangs where a thread that waits is not woken.
  @Test func closingEndsEveryWait() throws {
    for _ in 0..<100 {
      let forItems = handover(0)
      let forFilled = handover(1)
      try WorkerThreads.run([
        { #expect(forItems.takeEmpty() == nil) }, { #expect(forItems.takeEmpty() == nil) },
        { #expect(forFilled.takeFilled() == nil) }, { #expect(forFilled.takeFilled() == nil) },
        {
          forItems.close()
          forFilled.close()
        },
      ])
    }
  }
}
