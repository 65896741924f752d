public import Foundation
import VigilModel
public import VigilStorage

/// The output of `vigil queue show`: every column of a row of a queue.
public struct NotificationReport: Sendable {
  public let notification: QueuedNotification
  public let queue: NotificationList
  let externalIDs: [UUID: String]
  /// Nil for a row that no sender takes.
  let sending: SendingState?

  /// - Parameters:
  ///   - notification: The row.
  ///   - queue: The queue that holds it.
  ///   - externalIDs: The ids of persons in the system their data come from.
  ///   - sending: The work of senders; nil for a row of another queue than the live one.
  public init(
    notification: QueuedNotification, queue: NotificationList, externalIDs: [UUID: String] = [:],
    sending: SendingState? = nil
  ) {
    self.notification = notification
    self.queue = queue
    self.externalIDs = externalIDs
    self.sending = sending
  }
}

extension NotificationReport: Report {
  public func text(style: TextStyle) -> String {
    let row = notification
    var pairs = [
      ("Notification", row.id.lowercased),
      ("Queue", queueText),
      ("Status", row.statusText(in: queue)),
      ("Subject", "\(row.subjectText) (\(row.type), \(row.templateID))"),
      ("Alert", row.alertStateID?.lowercased ?? "–"),
      ("About", PersonText.full(row.member, externalIDs)),
      ("Recipient", PersonText.full(row.recipient, externalIDs)),
      ("Channel", row.channel.words),
      ("Priority", row.priority.rawValue),
      ("Due", row.scheduledFor.description),
      ("Expires", row.expiresAt?.description ?? "when it is read or has no reason any more"),
      ("Sent", row.sentAt?.description ?? "–"),
      (
        "Attempts",
        "\(NumberText.count(row.attempts)) of at most \(NumberText.count(row.maxAttempts))"
      ),
      ("Last attempt", row.lastAttemptAt?.description ?? "–"),
      ("Last error", row.lastError ?? "–"),
    ]
    if row.channel == .inApp, queue == .live {
      pairs += [
        ("Delivered", row.deliveredAt?.description ?? "–"),
        ("Read", row.readAt?.description ?? "–"),
      ]
    }
    if let sending {
      pairs += [
        ("Next attempt", nextAttemptText),
        ("Sender", sending.owner?.terminalSafe ?? "–"),
        ("Lease until", sending.leaseUntil?.description ?? "–"),
        ("Taken", NumberText.count(sending.takings, "time", "times")),
      ]
    }
    pairs += [
      ("Group", row.groupID?.lowercased ?? "–"),
      ("Group night", row.groupNight?.description ?? "–"),
      ("Key", row.dedupeKey),
      ("Run", row.runID.lowercased),
      ("Created", row.createdAt.description),
      ("Updated", row.updatedAt.description),
      ("Payload", row.payload),
    ]
    return TextTable(pairs: pairs, indent: "").render(style)
  }

  private var queueText: String {
    switch queue {
    case .live: "live"
    case .shadow: "shadow: it is not sent"
    case .held: "held: it waits for a decision about its run"
    }
  }

  /// When a sender may try again; a dash for a row that none will try.
  private var nextAttemptText: String {
    guard notification.status == .pending else { return "–" }
    return (sending?.nextAttempt ?? notification.scheduledFor).description
  }

  public func encode(to encoder: any Encoder) throws {
    let fields: JSONFields = [
      "queue": queue.rawValue,
      "notification": notification.fields(externalIDs),
      "sending": sending.map { sending -> JSONFields in
        [
          "lease_owner": sending.owner,
          "lease_until": sending.leaseUntil,
          "fencing_token": sending.takings,
          "next_attempt_at": sending.nextAttempt,
        ]
      },
      // JSON as text.
      "payload": notification.payload,
    ]
    try fields.encode(to: encoder)
  }
}
