import Dispatch
import Synchronization
import Testing

@testable import VigilBatch

@Suite struct WorkerThreadsTests {
  private final class Held: Sendable {}

  private struct Failure: Error, Equatable {
    var number: Int
  }

  @Test func whatBodiesHoldIsGoneWhenTheyHaveEnded() throws {
    for _ in 1...200 {
      weak var weakHeld: Held?
      do {
        let held = Held()
        weakHeld = held
        try WorkerThreads.run([{ _ = held }, { _ = held }])
      }
      #expect(weakHeld == nil)
    }
  }

  @Test func everyBodyIsRunOnceThoughOneFails() {
    let runs = Mutex(0)
    #expect(throws: Failure(number: 1)) {
      try WorkerThreads.run(
        (0..<4).map { number in
          {
            runs.withLock { $0 += 1 }
            if number == 1 { throw Failure(number: number) }
          }
        })
    }
    #expect(runs.withLock { $0 } == 4)
  }

  @Test func bodiesThatDoNotEndAreLeftBehindWhereTheEndIsUrgent() throws {
    let (hasBegun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let haveEnded = try WorkerThreads.run(
      isUrgent: {
        hasBegun.wait()
        hasBegun.signal()
        return true
      },
      [
        {
          hasBegun.signal()
          mayEnd.wait()
        }
      ])
    #expect(!haveEnded)
    mayEnd.signal()
    #expect(try WorkerThreads.run(isUrgent: { true }, [{}, {}]))
  }
}
