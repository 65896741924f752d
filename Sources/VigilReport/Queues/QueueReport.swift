public import Foundation
public import VigilModel
public import VigilStorage

/// The output of `vigil queue list`: rows of a queue, pending ones first.
public struct QueueReport: Sendable {
  public let queue: NotificationList
  /// In the order in which they are shown.
  public let notifications: [QueuedNotification]
  /// The number of matching rows by status, rows beyond the limit included.
  public let counts: [PlannedNotification.Status: Int]
  /// The number of matching rows that their recipients have read in the app.
  public let read: Int
  /// Runs whose notifications wait for a decision, and their numbers.
  public let held: [HeldRun]
  let externalIDs: [UUID: String]
  let emptyHint: String

  public struct HeldRun: Sendable, Hashable {
    public var run: UUID
    public var notifications: Int

    public init(run: UUID, notifications: Int) {
      self.run = run
      self.notifications = notifications
    }
  }

  /// - Parameters:
  ///   - queue: The queue that is listed.
  ///   - notifications: The rows, in the order of the list.
  ///   - counts: Rows of the queue by status.
  ///   - read: Rows that their recipients have read in the app.
  ///   - held: Runs whose notifications wait for a decision.
  ///   - externalIDs: The ids of persons in the system their data come from.
  ///   - emptyHint: The next step where nothing matches, as one sentence.
  public init(
    queue: NotificationList, notifications: [QueuedNotification],
    counts: [PlannedNotification.Status: Int], read: Int = 0, held: [HeldRun] = [],
    externalIDs: [UUID: String] = [:], emptyHint: String
  ) {
    self.queue = queue
    self.notifications = notifications
    self.counts = counts
    self.read = read
    self.held = held
    self.externalIDs = externalIDs
    self.emptyHint = emptyHint
  }

  private var total: Int { counts.values.reduce(0, +) }
}

extension QueueReport: ListReport {
  public func csv() -> String {
    RowEncoder(ExportColumns.notifications, as: .csv)
      .text(of: notifications.map { Exported($0, externalIDs) })
  }

  public func text(style: TextStyle) -> String {
    guard !notifications.isEmpty else { return "No notifications match. \(emptyHint)\n" + heldText }
    var table = TextTable([
      .init("Notification"), .init("Status"), .init("Due", rank: 5), .init("Channel", rank: 1),
      .init("Priority", rank: 6), .init("Subject"), .init("Recipient", rank: 2), .init("About"),
      .init("Alert", rank: 4),
    ])
    table.rows = notifications.map { row in
      [
        .init(row.id.shortened), .init(row.statusText(in: queue)),
        .init(row.scheduledFor.minuteText),
        .init(row.channel.words), .init(row.priority.rawValue), .init(row.subjectText),
        PersonText.cell(row.recipient, externalIDs), PersonText.cell(row.member, externalIDs),
        .init(row.alertStateID?.shortened ?? "–"),
      ]
    }
    return table.render(style) + "\n" + footer + heldText
  }

  private var footer: String {
    let parts = PlannedNotification.Status.allCases.compactMap { status in
      counts[status].map { count in
        // A row that was read is counted as sent, or as cancelled since.
        let read = status == .sent && read > 0 ? " (\(NumberText.count(read)) read)" : ""
        return "\(NumberText.count(count)) \(status.word(in: queue))\(read)"
      }
    }
    let text = "\(NumberText.count(total, "notification")): \(parts.joined(separator: ", "))."
    guard notifications.count < total else { return text + "\n" }
    return text
      + " Shown: the first \(NumberText.count(notifications.count)); --limit 0 lists all.\n"
  }

  private var heldText: String {
    held.map { waiting in
      let run = waiting.run.shortened
      let count = NumberText.count(
        waiting.notifications, "notification waits", "notifications wait")
      return "\(count) for a decision: vigil runs release \(run), or vigil runs discard \(run).\n"
    }.joined()
  }

  public func encode(to encoder: any Encoder) throws {
    var byStatus: JSONFields = [:]
    for status in PlannedNotification.Status.allCases {
      byStatus[status.rawValue] = counts[status] ?? 0
    }
    let fields: JSONFields = [
      "queue": queue.rawValue,
      "notifications": notifications.map { $0.fields(externalIDs) },
      "shown": notifications.count,
      "total": total,
      "counts": byStatus,
      "read": read,
      "held": held.map { held -> JSONFields in
        ["run_id": held.run, "notifications": held.notifications]
      },
    ]
    try fields.encode(to: encoder)
  }
}
