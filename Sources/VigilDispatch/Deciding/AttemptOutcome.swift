public import VigilModel
public import VigilStorage

/// The answer to an attempt.
public struct DeliveryAnswer: Hashable, Sendable {
  public var result: Result
  /// Whether the provider may have delivered it all the same: it did not answer, or not to the end.
  public var isUncertain: Bool
  /// The answers of services of push messages about devices.
  public var devices: [DeviceReport] = []
  /// The particulars of a text message that was delivered; nil for none.
  public var receipt: MessageReceipt?

  public init(_ result: Result, isUncertain: Bool = false) {
    self.result = result
    self.isUncertain = isUncertain
  }

  public enum Result: Hashable, Sendable {
    case delivered
    /// Another attempt may succeed.
    ///
    /// - after: Seconds that the provider asks to wait; nil for none.
    case failed(DeliveryErrorCode, after: Double?)
    /// Nothing was sent, because no attempt could begin: one may later, and this one does not count.
    case notStarted(DeliveryErrorCode)
    /// Another attempt would fail in the same way.
    case refused(DeliveryErrorCode)
  }
}

extension DeliveryAnswer {
  /// The end of a text message after this answer.
  var messageEnd: MessageEnd {
    if result == .delivered { return .sent }
    return isUncertain ? .unknown : .notSent
  }
}

extension ClaimedNotification {
  /// The outcome of this row after an attempt.
  ///
  /// It is a dead letter after its last attempt, and where the next one would come too late.
  ///
  /// - Parameters:
  ///   - answer: Of the provider.
  ///   - schedule: The times of further attempts.
  ///   - chance: A random number from 0 to 1.
  ///   - now: The present instant.
  public func outcome(
    of answer: DeliveryAnswer, retryingBy schedule: RetrySchedule, chance: Double, at now: Timestamp
  ) -> DispatchOutcome {
    var result = answer.result
    if channel == .call, answer.isUncertain, case .failed(let code, let asked) = result {
      result = .failed(code, after: max(asked ?? 0, Double(DispatchOutcome.secondsToAnswerCall)))
    }
    var outcome = outcome(of: result, retryingBy: schedule, chance: chance, at: now)
    outcome.devices = answer.devices
    outcome.receipt = answer.receipt
    return outcome
  }

  private func outcome(
    of result: DeliveryAnswer.Result, retryingBy schedule: RetrySchedule, chance: Double,
    at now: Timestamp
  ) -> DispatchOutcome {
    switch result {
    case .delivered: return DispatchOutcome(.sent, of: lease)
    case .refused(let code): return DispatchOutcome(.failed(code), of: lease)
    case .notStarted(let code):
      let next = now.adding(pause: schedule.pause(afterAttempts: attempts, chance: chance))
      // It is looked at once more where it expires before.
      return DispatchOutcome(
        .notStarted(retryAt: min(next, expiresAt ?? next), error: code), of: lease)
    case .failed(let code, let asked):
      let next = now.adding(
        pause: schedule.pause(afterAttempts: attempts, asked: asked, chance: chance))
      guard attempts < maxAttempts, expiresAt.map({ next < $0 }) ?? true else {
        return DispatchOutcome(.failed(code), of: lease)
      }
      return DispatchOutcome(.retry(at: next, error: code), of: lease)
    }
  }
}

extension Timestamp {
  /// The instant some seconds later; the last there is for a pause that no clock can show.
  func adding(pause: Double) -> Timestamp {
    Timestamp(microseconds: microseconds.addingClamped(Int64(clamping: pause * 1e6)))
  }
}
