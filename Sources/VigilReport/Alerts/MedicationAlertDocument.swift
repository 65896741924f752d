import VigilModel

/// The JSON of an alert about a medication; names are those of the columns of `medication_alerts`.
struct MedicationAlertDocument: Encodable {
  var id: String
  var userId: String
  var externalId: OrNull<String>
  var medicationId: String
  var kind: MedicationAlert.Kind
  var episodeStatus: String
  var activeSince: Day
  var lastFoundOn: Day
  var currentLevel: AlertLevel
  var severity: Severity
  var lastNotifiedLevel: OrNull<AlertLevel>
  var lastNotifiedAt: OrNull<Timestamp>
  var shadowNotifiedLevel: OrNull<AlertLevel>
  var snoozeUntil: OrNull<Day>
  var dismissedAt: OrNull<Timestamp>
  var acknowledgedAt: OrNull<Timestamp>
  var acknowledgedBy: OrNull<String>
  var resolvedOn: OrNull<Day>
  var resolutionReason: OrNull<MedicationAlert.Resolution.Reason>

  init(_ alert: MedicationAlert, externalID: String?) {
    id = alert.id.lowercased
    userId = alert.user.lowercased
    externalId = OrNull(externalID)
    medicationId = alert.medication.lowercased
    kind = alert.kind
    episodeStatus = alert.isActive ? "active" : "resolved"
    activeSince = alert.activeSince
    lastFoundOn = alert.lastFound
    currentLevel = alert.level
    severity = alert.severity
    lastNotifiedLevel = OrNull(alert.lastNotifiedLevel)
    lastNotifiedAt = OrNull(alert.lastNotifiedAt)
    shadowNotifiedLevel = OrNull(alert.shadowNotifiedLevel)
    snoozeUntil = OrNull(alert.snoozeUntil)
    dismissedAt = OrNull(alert.dismissedAt)
    acknowledgedAt = OrNull(alert.acknowledgedAt)
    acknowledgedBy = OrNull(alert.acknowledgedBy?.lowercased)
    resolvedOn = OrNull(alert.resolution?.day)
    resolutionReason = OrNull(alert.resolution?.reason)
  }
}
