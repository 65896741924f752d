public import Foundation
public import VigilAdherence
public import VigilAlerts
public import VigilModel
public import VigilStorage

// Results and queues.
extension ForwardingStorage {
  public func alertStates(matching filter: AlertFilter) throws -> [PatternAlertState] {
    try base.alertStates(matching: filter)
  }
  public func provisionalAlertIDs() throws -> Set<UUID> { try base.provisionalAlertIDs() }
  public func doseAnalytics(
    of users: [UUID]?, period: AdherencePeriod.Kind, endingOn day: Day?
  ) throws -> [StoredDoseAnalytics] {
    try base.doseAnalytics(of: users, period: period, endingOn: day)
  }
  public func familyAlerts(
    of family: UUID, for viewer: UUID, on day: Day
  ) throws -> [PatternAlertState] {
    try base.familyAlerts(of: family, for: viewer, on: day)
  }
  public func familyInsights(
    of family: UUID, for viewer: UUID, on day: Day?, today: Day
  ) throws -> [TrendInsight] {
    try base.familyInsights(of: family, for: viewer, on: day, today: today)
  }
  public func trendInsights(matching filter: InsightFilter) throws -> [TrendInsight] {
    try base.trendInsights(matching: filter)
  }
  public func trendCoverages(of users: [UUID]?) throws -> [TrendCoverage] {
    try base.trendCoverages(of: users)
  }
  public func vitalityScores(
    of users: [UUID]?, in days: ClosedRange<Day>
  ) throws -> [VitalityScore] {
    try base.vitalityScores(of: users, in: days)
  }
  public func databaseProfiles() throws -> [DatabaseProfile] { try base.databaseProfiles() }
  public func activeProfiles() throws -> [ActiveProfile] { try base.activeProfiles() }

  public func makeResultReader() throws -> any ResultReader { try base.makeResultReader() }

  // MARK: Dispatch

  public func claim(_ request: DispatchClaim, at now: Timestamp) throws -> [ClaimedNotification] {
    try base.claim(request, at: now)
  }
  public func circumstances(
    of rows: [ClaimedNotification], countingSince day: Timestamp?
  ) throws -> [UUID: ClaimCircumstances] {
    try base.circumstances(of: rows, countingSince: day)
  }
  public func addresses(
    of users: [UUID], on channel: PlannedNotification.Channel
  ) throws -> [UUID: [DeliveryAddress]] {
    try base.addresses(of: users, on: channel)
  }
  public func chosenWindows() throws -> [AlertLevel: [Int]] { try base.chosenWindows() }
  public func unansweredAlerts(
    of subject: EscalationSubject, at level: AlertLevel, in windows: EscalationWindows, limit: Int
  ) throws -> [UnansweredAlert] {
    try base.unansweredAlerts(of: subject, at: level, in: windows, limit: limit)
  }
  public func escalationCourse(
    of alert: UUID, _ subject: EscalationSubject, at level: AlertLevel, asOf now: Timestamp
  ) throws -> EscalationCourse? {
    try base.escalationCourse(of: alert, subject, at: level, asOf: now)
  }
  public func escalations(of alert: UUID) throws -> [EscalationRecord] {
    try base.escalations(of: alert)
  }
  public func carryOut(
    _ step: EscalationStep, of course: EscalationCourse, at now: Timestamp
  ) throws -> Int? {
    try base.carryOut(step, of: course, at: now)
  }
  public func markNotifiedCalls(at now: Timestamp) throws -> Int {
    try base.markNotifiedCalls(at: now)
  }
  public func addresses(
    ofContacts contacts: [UUID], on channel: PlannedNotification.Channel
  ) throws -> [UUID: [DeliveryAddress]] {
    try base.addresses(ofContacts: contacts, on: channel)
  }
  public func renew(_ leases: [DispatchLease], until end: Timestamp) throws -> Set<UUID> {
    try base.renew(leases, until: end)
  }
  public func settle(_ outcomes: [DispatchOutcome], at now: Timestamp) throws -> Set<UUID> {
    try base.settle(outcomes, at: now)
  }
  public func takeBackLeases(endedBy now: Timestamp) throws -> TakenBackLeases {
    try base.takeBackLeases(endedBy: now)
  }
  public func cancelInApp(
    _ reasons: [UUID: PlannedNotification.StatusReason], at now: Timestamp
  ) throws -> [PlannedNotification.StatusReason: Int] {
    try base.cancelInApp(reasons, at: now)
  }
  public func channelRests() throws -> [ChannelRest] { try base.channelRests() }
  public func record(
    _ rest: ChannelRest?, of channel: PlannedNotification.Channel, at now: Timestamp
  ) throws {
    try base.record(rest, of: channel, at: now)
  }
  public func deadLetters(since start: Timestamp) throws -> [DeadLetters] {
    try base.deadLetters(since: start)
  }
  public func newestRunStart() throws -> Timestamp? { try base.newestRunStart() }
  public func dispatchBacklog(
    on channels: [PlannedNotification.Channel], at now: Timestamp, limit: Int
  ) throws -> DispatchBacklog {
    try base.dispatchBacklog(on: channels, at: now, limit: limit)
  }
  public func dueNotifications(
    on channel: PlannedNotification.Channel, _ priority: PlannedNotification.Priority,
    after place: DuePage.Place?, limit: Int, leasesEndedBy end: Timestamp, at now: Timestamp
  ) throws -> DuePage {
    try base.dueNotifications(
      on: channel, priority, after: place, limit: limit, leasesEndedBy: end, at: now)
  }

  public func messageCounts(
    of rows: [ClaimedNotification], in month: Day
  ) throws -> [UUID: MessageCount] {
    try base.messageCounts(of: rows, in: month)
  }

  public func logMessages(
    _ messages: [LoggedMessage], in month: Day, quota: Int?, at now: Timestamp
  ) throws -> Set<UUID> {
    try base.logMessages(messages, in: month, quota: quota, at: now)
  }

  public func record(_ allowance: MessageAllowance?, at now: Timestamp) throws {
    try base.record(allowance, at: now)
  }
  public func messageUse(of person: UUID, at now: Timestamp) throws -> MessageUse {
    try base.messageUse(of: person, at: now)
  }
  public func recordDelivery(
    _ report: MessageReport, at now: Timestamp
  ) throws -> MessageDelivery { try base.recordDelivery(report, at: now) }

  public func sendingState(of id: UUID) throws -> SendingState? {
    try base.sendingState(of: id)
  }

  public func retryNotification(_ id: UUID, at now: Timestamp) throws {
    try base.retryNotification(id, at: now)
  }
  public func cancelNotification(_ id: UUID, at now: Timestamp) throws {
    try base.cancelNotification(id, at: now)
  }
  public func makeQueueAlarm() throws -> (any QueueAlarm)? { try base.makeQueueAlarm() }
  public func profiles(of users: [UUID]) throws -> [UUID: UserProfile] {
    try base.profiles(of: users)
  }

  // MARK: Queues

  public func notifications(
    matching filter: NotificationFilter, limit: Int?
  ) throws -> [QueuedNotification] {
    try base.notifications(matching: filter, limit: limit)
  }
  public func notificationCounts(
    matching filter: NotificationFilter
  ) throws -> [PlannedNotification.Status: Int] {
    try base.notificationCounts(matching: filter)
  }
  public func readCount(matching filter: NotificationFilter) throws -> Int {
    try base.readCount(matching: filter)
  }
  public func notificationsWaitingForDecision() throws -> [(run: UUID, notifications: Int)] {
    try base.notificationsWaitingForDecision()
  }
  public func hasDiscardedNotifications() throws -> Bool { try base.hasDiscardedNotifications() }
  public func alertsNeverNotified() throws -> Int { try base.alertsNeverNotified() }
  public func carryOut(_ action: AlertAction) throws -> AlertActionOutcome {
    try base.carryOut(action)
  }
  public func actions(on alert: UUID) throws -> [AlertAction] { try base.actions(on: alert) }
  public func markRead(
    _ alert: UUID, by member: UUID, at now: Timestamp
  ) throws -> [AlertRead] {
    try base.markRead(alert, by: member, at: now)
  }
  public func alertReads(by member: UUID) throws -> [AlertRead] {
    try base.alertReads(by: member)
  }
  public func record(_ checkIn: CheckIn) throws { try base.record(checkIn) }
  public func raiseAlert(by person: UUID, at now: Timestamp) throws -> RaisedAlert {
    try base.raiseAlert(by: person, at: now)
  }
  public func resolveRaisedAlert(
    _ alert: UUID, by member: UUID, at now: Timestamp
  ) throws -> RaisedAlert { try base.resolveRaisedAlert(alert, by: member, at: now) }
  public func raisedAlerts(of person: UUID) throws -> [RaisedAlert] {
    try base.raisedAlerts(of: person)
  }
  public func ping(_ recipient: UUID, by sender: UUID, at now: Timestamp) throws -> Ping {
    try base.ping(recipient, by: sender, at: now)
  }
  public func respond(to ping: UUID, by recipient: UUID, at now: Timestamp) throws -> Ping {
    try base.respond(to: ping, by: recipient, at: now)
  }
  public func pings(of member: UUID) throws -> [Ping] { try base.pings(of: member) }
  public func resolveEscalation(
    _ escalation: UUID, _ resolution: EscalationResolution, by member: UUID, at now: Timestamp
  ) throws -> EscalationAnswer {
    try base.resolveEscalation(escalation, resolution, by: member, at: now)
  }
  public func mark(
    _ notification: UUID, as mark: NotificationReceipt.Mark, by member: UUID, at now: Timestamp
  ) throws -> NotificationReceipt {
    try base.mark(notification, as: mark, by: member, at: now)
  }
  public func escalationChoices(of person: UUID) throws -> [AlertLevel: EscalationChoice] {
    try base.escalationChoices(of: person)
  }
  public func choose(
    _ choice: EscalationChoice?, at levels: [AlertLevel], by person: UUID
  ) throws -> [AlertLevel: EscalationChoice] {
    try base.choose(choice, at: levels, by: person)
  }
  public func duePrompts(
    of kinds: some Sequence<Prompt.Kind>, at now: Timestamp, limit: Int
  ) throws -> [Prompt] {
    try base.duePrompts(of: kinds, at: now, limit: limit)
  }
  public func expirePings(at now: Timestamp) throws -> Int { try base.expirePings(at: now) }
  public func plan(_ prompt: Prompt, _ notices: [PromptNotice], at now: Timestamp) throws -> Bool {
    try base.plan(prompt, notices, at: now)
  }
  public func pruneQueues(
    endedBefore cutoff: Timestamp, at now: Timestamp, rowsAtOnce: Int
  ) throws -> PrunedRows {
    try base.pruneQueues(endedBefore: cutoff, at: now, rowsAtOnce: rowsAtOnce)
  }
  public func prunableRows(endedBefore cutoff: Timestamp, at now: Timestamp) throws -> PrunedRows {
    try base.prunableRows(endedBefore: cutoff, at: now)
  }
}
