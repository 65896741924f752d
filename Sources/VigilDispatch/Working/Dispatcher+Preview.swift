public import Foundation
public import VigilModel
public import VigilStorage

extension Dispatcher {
  /// The rows that are read at a time.
  static let previewedAtOnce = 500

  /// Decides about the rows that are due, as `run` would, without taking any: nothing is written and nothing sent.
  ///
  /// Rows whose sender is gone are among them. Outcomes of attempts are not known before: a row counts as one that would be
  /// sent.
  ///
  /// - Throws: `StorageError`.
  public func preview() throws -> [DispatchPreview] {
    let now = work.now()
    return try channels.map { settings, _ in
      var preview = DispatchPreview(channel: settings.channel)
      var earlier = EarlierDeliveries()
      for priority in PlannedNotification.Priority.allCases.reversed() {
        var place: DuePage.Place?
        repeat {
          let page = try storage.dueNotifications(
            on: settings.channel, priority, after: place, limit: Self.previewedAtOnce,
            leasesEndedBy: work.takingBackInstant(for: settings, at: now), at: now)
          preview.add(
            try work.decide(page.rows, settings, after: &earlier, at: now), of: page)
          place = page.end
        } while place != nil
      }
      return preview
    }
  }
}

/// The decisions of a sender about the due rows of one channel.
public struct DispatchPreview: Sendable {
  public var channel: PlannedNotification.Channel
  /// In the order in which they would be handled.
  public var rows: [Row] = []

  public struct Row: Hashable, Sendable {
    public var id: UUID
    public var decision: Decision
  }

  public enum Decision: Hashable, Sendable {
    case send
    case wait(until: Timestamp, PlannedNotification.StatusReason?)
    case cancel(PlannedNotification.StatusReason)
    /// It would be a dead letter without an attempt.
    case fail(DeliveryErrorCode)
  }

  fileprivate init(channel: PlannedNotification.Channel) {
    self.channel = channel
  }

  fileprivate mutating func add(_ decided: ClaimedRows, of page: DuePage) {
    var decisions: [UUID: Decision] = [:]
    for delivery in decided.deliveries { decisions[delivery.row.id] = .send }
    for outcome in decided.outcomes { decisions[outcome.lease.id] = Decision(outcome.result) }
    rows += page.rows.compactMap { row in
      decisions[row.id].map { Row(id: row.id, decision: $0) }
    }
    rows += page.unreadable.map { Row(id: $0, decision: .fail(DeliveryErrorCode("unreadable"))) }
  }
}

extension DispatchPreview.Decision {
  /// The decision that the outcome of a row without an attempt stands for; nil for that of an attempt.
  fileprivate init?(_ result: DispatchOutcome.Result) {
    switch result {
    case .cancelled(let reason): self = .cancel(reason)
    case .postponed(let time, let reason): self = .wait(until: time, reason)
    case .failed(let code): self = .fail(code)
    case .sent, .retry, .notStarted, .released: return nil
    }
  }
}
