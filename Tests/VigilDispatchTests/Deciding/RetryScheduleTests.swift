import Foundation
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilDispatch

@Suite("Further attempts")
struct RetryScheduleTests {
  @Test("pauses grow fourfold up to the longest, by a half of chance")
  func pauses() {
    let schedule = RetrySchedule(firstSeconds: 60, longestSeconds: 1000)
    #expect(
      [1, 2, 3, 4, 99].map { schedule.pause(afterAttempts: $0, chance: 1) } == [
        60, 240, 960, 1000, 1000,
      ])
    #expect(schedule.pause(afterAttempts: 2, chance: 0) == 120)
    var random = SeededGenerator(seed: 4)
    for attempts in 1...200 {
      let pause = schedule.pause(
        afterAttempts: attempts, chance: .random(in: 0...1, using: &random))
      #expect((30...1000).contains(pause))
    }
  }

  @Test("a provider that asks for a longer pause gets it, up to a day")
  func asked() {
    let schedule = RetrySchedule(firstSeconds: 60, longestSeconds: 3600)
    #expect(schedule.pause(afterAttempts: 1, asked: 300, chance: 0.5) == 300)
    #expect(schedule.pause(afterAttempts: 1, asked: 1, chance: 1) == 60)
    #expect(schedule.pause(afterAttempts: 1, asked: 1e9, chance: 1) == 86_400)
  }

  @Test("Retry-After is seconds or a date")
  func retryAfter() {
    let now = Date(timeIntervalSince1970: 1_782_900_000)
    #expect(RetryAfter.seconds("120", at: now) == 120)
    #expect(RetryAfter.seconds(" 0 ", at: now) == 0)
    #expect(RetryAfter.seconds("Wed, 01 Jul 2026 10:01:30 GMT", at: now) == 90)
    #expect(RetryAfter.seconds("Wed, 01 Jul 2026 09:00:00 GMT", at: now) == 0)
    for text in ["", "-1", "soon", "1.5", "2026-07-01"] {
      #expect(RetryAfter.seconds(text, at: now) == nil)
    }
  }

  @Test("the outcome follows from the answer, the attempts and the time that is left")
  func outcomes() throws {
    var row = try sampleRow()
    let now = try #require(Timestamp("2026-07-01T12:00:00Z"))
    let schedule = RetrySchedule(firstSeconds: 60, longestSeconds: 3600)
    let code = DeliveryErrorCode("http_503")
    func result(_ answer: DeliveryAnswer.Result) -> DispatchOutcome.Result {
      row.outcome(of: DeliveryAnswer(answer), retryingBy: schedule, chance: 1, at: now).result
    }
    #expect(result(.delivered) == .sent)
    #expect(result(.refused(code)) == .failed(code))
    #expect(result(.failed(code, after: nil)) == .retry(at: now.adding(seconds: 60), error: code))
    #expect(result(.failed(code, after: 90)) == .retry(at: now.adding(seconds: 90), error: code))
    row.attempts = 2
    #expect(result(.failed(code, after: nil)) == .retry(at: now.adding(seconds: 240), error: code))
    row.attempts = 3
    #expect(result(.failed(code, after: nil)) == .failed(code))
    // What could not start is no attempt.
    #expect(
      result(.notStarted(code)) == .notStarted(retryAt: now.adding(seconds: 960), error: code))
    row.attempts = 1
    row.expiresAt = now.adding(seconds: 60)
    #expect(result(.failed(code, after: nil)) == .failed(code))
    row.attempts = 3
    #expect(
      result(.notStarted(code)) == .notStarted(retryAt: now.adding(seconds: 60), error: code))
  }

  @Test("a provider's rate is kept")
  func pacer() {
    let start = ContinuousClock.now
    var pacer = Pacer(perSecond: 10, at: start)
    for _ in 1...10 { #expect(pacer.take(at: start) == nil) }
    let wait = pacer.take(at: start)
    #expect(abs((wait ?? 0) - 0.1) < 1e-9)
    #expect(pacer.take(at: start - .seconds(60)) != nil)
    #expect(pacer.take(at: start + .milliseconds(101)) == nil)
    #expect(pacer.take(at: start + .milliseconds(101)) != nil)
    // A long pause saves up no more than a second.
    var taken = 0
    while pacer.take(at: start + .seconds(3600)) == nil { taken += 1 }
    #expect(taken == 10)
    var slow = Pacer(perSecond: 0.5, at: start)
    #expect(slow.take(at: start) == nil)
    #expect(slow.take(at: start + .seconds(1)) == 1)
  }
}
