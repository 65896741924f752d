import VigilModel
import VigilStorage

/// Words of a column, for checks of tables and conditions that name them by a mark such as `{{channels}}`.
///
/// ```sql
/// CHECK (channel IN ({{channels}}))
/// ```
enum WordList: String {
  case channels
  case sentChannels = "sent_channels"
  /// Channels with addresses in `contact_points`.
  case addressedChannels = "addressed_channels"
  case emergencyChannels = "emergency_channels"
  /// Channels whose addresses are telephone numbers.
  case telephoneChannels = "telephone_channels"
  case priorities
  case notificationStatuses = "notification_statuses"
  case statusReasons = "status_reasons"
  /// Roles whose members are notified of the others of their family.
  case notifiedRoles = "notified_roles"
  /// Reasons of notifications that are sent nevertheless, only later.
  case pendingReasons = "pending_reasons"
  /// Reasons of skipped notifications that give way to the same ones.
  case replaceableReasons = "replaceable_reasons"
  /// Reasons of cancelled notifications that an operator may have sent after all.
  case retriableReasons = "retriable_reasons"
  case messageKinds = "sms_types"
  case messageDeliveries = "delivery_statuses"

  var words: [String] {
    typealias Channel = PlannedNotification.Channel
    return switch self {
    case .channels: Channel.allCases.map(\.rawValue)
    case .sentChannels: Channel.sent.map(\.rawValue)
    case .addressedChannels:
      Channel.allCases.filter { $0.address == .contactPoint }.map(\.rawValue)
    case .emergencyChannels:
      Channel.allCases.filter(\.reachesEmergencyContacts).map(\.rawValue)
    case .telephoneChannels: Channel.allCases.filter(\.isTelephone).map(\.rawValue)
    case .priorities: PlannedNotification.Priority.allCases.map(\.rawValue)
    case .notificationStatuses: PlannedNotification.Status.allCases.map(\.rawValue)
    case .notifiedRoles: FamilyMember.Role.allCases.filter(\.isNotified).map(\.rawValue)
    case .statusReasons: PlannedNotification.StatusReason.allCases.map(\.rawValue)
    case .pendingReasons:
      PlannedNotification.StatusReason.allCases
        .filter { PlannedNotification.Status(enqueuedBecauseOf: $0) == .pending }.map(\.rawValue)
    case .replaceableReasons:
      PlannedNotification.StatusReason.allCases.filter(\.isReplaceable).map(\.rawValue)
    case .retriableReasons:
      PlannedNotification.StatusReason.allCases.filter(\.isRetriable).map(\.rawValue)
    case .messageKinds: LoggedMessage.Kind.allCases.map(\.rawValue)
    case .messageDeliveries: MessageDelivery.allCases.map(\.rawValue)
    }
  }

  /// The words as SQL has them, such as `'push', 'sms'`.
  var sql: String { words.map { "'\($0)'" }.joined(separator: ", ") }
}
