import Foundation
import VigilAlerts
import VigilModel
import VigilStorage

/// The deliveries that a sender has decided to make, and that the database does not count yet.
struct EarlierDeliveries: Sendable {
  /// By recipient, without critical ones.
  var ofDay: [UUID: Int] = [:]
  /// Text messages by recipient.
  var ofMonth: [UUID: Int] = [:]
}

extension DispatchWork {
  /// Decides about rows as things are now; changes nothing.
  ///
  /// - Parameters:
  ///   - rows: In the order in which they are to be sent.
  ///   - settings: Those of their channel.
  ///   - earlier: Gets the deliveries among them.
  ///   - now: The present instant.
  func decide(
    _ rows: [ClaimedNotification], _ settings: ChannelSettings,
    after earlier: inout EarlierDeliveries, at now: Timestamp
  ) throws -> ClaimedRows {
    var claimed = ClaimedRows()
    guard !rows.isEmpty else { return claimed }
    let limit = settings.perRecipientAndDay.map(RecipientLimit.perDay)
    let circumstances = try storage.circumstances(
      of: rows, countingSince: limit.map { now.adding(seconds: -$0.seconds) })
    let addresses = try storage.addresses(
      of: Array(Set(rows.map(\.recipient))), on: settings.channel)
    let ofContacts = try storage.addresses(
      ofContacts: Array(Set(rows.compactMap(\.contact))), on: settings.channel)
    let counts =
      settings.perRecipientAndMonth == nil
      ? [:] : try storage.messageCounts(of: rows, in: now.utcDay.firstOfMonth)
    for row in rows {
      guard let facts = circumstances[row.id] else { continue }
      let known = row.contact.map { ofContacts[$0] ?? [] } ?? addresses[row.recipient] ?? []
      let count = counts[row.id] ?? MessageCount()
      // A provider that finds addresses itself knows persons, and no contacts.
      let isReachable = settings.needsAddress ? !known.isEmpty : row.contact == nil
      let quota = settings.perRecipientAndMonth.map {
        MessageQuota($0, count, after: earlier.ofMonth[row.recipient] ?? 0)
      }
      let outcome = row.outcome(
        in: facts, after: earlier.ofDay[row.recipient] ?? 0, limit: limit,
        quota: isReachable ? quota : nil, zones: zones, at: now)
      guard outcome == .send else {
        claimed.add(outcome, of: row)
        continue
      }
      guard isReachable else {
        claimed.outcomes.append(.init(.failed(DeliveryErrorCode("no_address")), of: row.lease))
        continue
      }
      if row.priority != .critical { earlier.ofDay[row.recipient, default: 0] += 1 }
      if !count.includesRow { earlier.ofMonth[row.recipient, default: 0] += 1 }
      claimed.deliveries.append(
        ReadyDelivery(
          row: row,
          message: messages.message(for: row, in: known.compactMap(\.language).first),
          addresses: settings.needsAddress ? known : []))
    }
    return claimed
  }

  /// Logs text messages that are to be sent; one whose place another sender has taken waits.
  func logMessages(
    _ claimed: inout ClaimedRows, _ settings: ChannelSettings, at now: Timestamp
  ) throws {
    guard settings.logsMessages else { return }
    let logged = try storage.logMessages(
      claimed.deliveries.map { LoggedMessage($0, settings) }, in: now.utcDay.firstOfMonth,
      quota: settings.perRecipientAndMonth, at: now)
    for delivery in claimed.deliveries where !logged.contains(delivery.row.id) {
      claimed.add(delivery.row.outcomeWithoutPlace(at: now), of: delivery.row)
    }
    claimed.deliveries.removeAll { !logged.contains($0.row.id) }
  }
}

extension LoggedMessage {
  fileprivate init(_ delivery: ReadyDelivery, _ settings: ChannelSettings) {
    let segments = delivery.message.map { MessageSegments.count(of: $0.text) }
    self.init(
      delivery.row,
      numberDigest: settings.numberKey.flatMap { key in
        delivery.addresses.first.map { key.digest(of: $0.address) }
      },
      segments: segments,
      cost: segments.flatMap { settings.messagePrice?.times($0) })
  }
}

extension ClaimedRows {
  /// Adds the outcome of a row that is not sent now.
  fileprivate mutating func add(_ outcome: DeliveryOutcome, of row: ClaimedNotification) {
    switch outcome {
    case .send, .repeated, .discarded:
      preconditionFailure("Invalid state: the queue has no such outcome of a row that is due")
    case .withhold(let reason): outcomes.append(.init(.cancelled(reason), of: row.lease))
    case .wait(let time, let reason):
      outcomes.append(.init(.postponed(until: time, reason), of: row.lease))
    }
  }
}
