import Foundation
import VigilModel
import VigilStorage

/// A row of a queue as JSON, without its payload; names are those of its columns.
struct NotificationDocument: Encodable {
  var id: String
  var recipientUserId: String
  var recipientExternalId: OrNull<String>
  var memberUserId: String
  var memberExternalId: OrNull<String>
  var alertStateId: OrNull<String>
  var notificationType: String
  var templateId: String
  var channel: PlannedNotification.Channel
  var priority: PlannedNotification.Priority
  var status: PlannedNotification.Status
  var statusReason: OrNull<PlannedNotification.StatusReason>
  var scheduledFor: Timestamp
  var expiresAt: Timestamp
  var sentAt: OrNull<Timestamp>
  var attempts: Int
  var maxAttempts: Int
  var lastAttemptAt: OrNull<Timestamp>
  var lastError: OrNull<String>
  var groupId: OrNull<String>
  var groupNight: OrNull<Day>
  var dedupeKey: String
  var runId: String
  var createdAt: Timestamp
  var updatedAt: Timestamp

  init(_ row: QueuedNotification, _ externalIDs: [UUID: String]) {
    id = row.id.lowercased
    recipientUserId = row.recipient.lowercased
    recipientExternalId = OrNull(externalIDs[row.recipient])
    memberUserId = row.member.lowercased
    memberExternalId = OrNull(externalIDs[row.member])
    alertStateId = OrNull(row.alertStateID?.lowercased)
    notificationType = row.type
    templateId = row.templateID
    channel = row.channel
    priority = row.priority
    status = row.status
    statusReason = OrNull(row.statusReason)
    scheduledFor = row.scheduledFor
    expiresAt = row.expiresAt
    sentAt = OrNull(row.sentAt)
    attempts = row.attempts
    maxAttempts = row.maxAttempts
    lastAttemptAt = OrNull(row.lastAttemptAt)
    lastError = OrNull(row.lastError)
    groupId = OrNull(row.groupID?.lowercased)
    groupNight = OrNull(row.groupNight)
    dedupeKey = row.dedupeKey
    runId = row.runID.lowercased
    createdAt = row.createdAt
    updatedAt = row.updatedAt
  }
}
