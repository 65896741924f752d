import Foundation
import PostgresTestServer
import StorageConformance
import VigilAlerts
import VigilModel
import VigilPostgres
import VigilStorage

/// A migrated schema in which everything but migrations and imports is done by login roles that are no more
/// than a member of `vigil_engine` and, for the work of a sender, of `vigil_sender`.
struct EngineFixture: StorageFixture {
  let schema: PostgresSchema
  let storage: any Storage

  init() throws {
    let owned = try PostgresFixture()
    schema = owned.schema
    storage = EngineStorage(
      owner: owned.storage, engine: try Self.connect(to: schema),
      sender: try Self.connect(to: schema, as: "delivering"))
  }

  func reopened() throws -> any Storage {
    EngineStorage(
      owner: try PostgresStorage(url: schema.url, schema: schema.name),
      engine: try Self.connect(to: schema), sender: try Self.connect(to: schema, as: "delivering"))
  }

  func execute(_ sql: String) throws {
    try schema.withSession { try $0.execute(sql) }
  }

  func executeWithoutReferences(_ sql: String) throws {
    try schema.withSession { try $0.executeWithoutReferences(sql) }
  }

  func strings(_ sql: String) throws -> [String?] {
    try schema.withSession { try $0.rows(sql) }.values.map { $0[0] }
  }

  private static func connect(
    to schema: PostgresSchema, as user: String = "nightly"
  ) throws -> PostgresStorage {
    try login.get()
    return try PostgresStorage(url: schema.url(as: user), schema: schema.name)
  }

  /// Made once on the server that tests share.
  private static let login = Result {
    try PostgresSession(url: PostgresServer.shared().url(as: "postgres"))
      .execute(
        """
        CREATE ROLE nightly LOGIN IN ROLE vigil_engine;
        CREATE ROLE delivering LOGIN IN ROLE vigil_sender
        """)
  }
}

/// Migrates and imports as the owner of the schema, takes rows of the queue as a sender, and does all the rest
/// as the engine.
private struct EngineStorage: ForwardingStorage {
  let owner: any Storage
  let engine: any Storage
  let sender: any Storage

  var base: any Storage { engine }

  func migrate(at now: Timestamp) throws -> MigrationOutcome { try owner.migrate(at: now) }

  func migrateDown(count: Int, at now: Timestamp) throws -> MigrationOutcome {
    try owner.migrateDown(count: count, at: now)
  }

  func importRows<Result>(_ body: (any ImportWriter) throws -> Result) throws -> Result {
    try owner.importRows(body)
  }

  func record(_ checkIn: CheckIn) throws { try owner.record(checkIn) }
  func raiseAlert(by person: UUID, at now: Timestamp) throws -> RaisedAlert {
    try owner.raiseAlert(by: person, at: now)
  }
  func resolveRaisedAlert(
    _ alert: UUID, by member: UUID, at now: Timestamp
  ) throws -> RaisedAlert { try owner.resolveRaisedAlert(alert, by: member, at: now) }
  func raisedAlerts(of person: UUID) throws -> [RaisedAlert] {
    try owner.raisedAlerts(of: person)
  }
  func ping(_ recipient: UUID, by sender: UUID, at now: Timestamp) throws -> Ping {
    try owner.ping(recipient, by: sender, at: now)
  }
  func respond(to ping: UUID, by recipient: UUID, at now: Timestamp) throws -> Ping {
    try owner.respond(to: ping, by: recipient, at: now)
  }
  func pings(of member: UUID) throws -> [Ping] { try owner.pings(of: member) }

  func duePrompts(
    of kinds: some Sequence<Prompt.Kind>, at now: Timestamp, limit: Int
  ) throws -> [Prompt] {
    try sender.duePrompts(of: kinds, at: now, limit: limit)
  }
  func expirePings(at now: Timestamp) throws -> Int { try sender.expirePings(at: now) }
  func plan(_ prompt: Prompt, _ notices: [PromptNotice], at now: Timestamp) throws -> Bool {
    try sender.plan(prompt, notices, at: now)
  }
  func chosenWindows() throws -> [AlertLevel: [Int]] { try sender.chosenWindows() }
  func escalationSettings(asOf now: Timestamp) throws -> [EscalationSetting] {
    try sender.escalationSettings(asOf: now)
  }
  // An operator sets limits with the login that imports.
  func add(_ limit: PersonLimit, of person: UUID, note: String?) throws -> Bool {
    try owner.add(limit, of: person, note: note)
  }
  func end(_ limit: PersonLimit, of person: UUID, on last: Day) throws -> Bool {
    try owner.end(limit, of: person, on: last)
  }
  func remove(_ limit: PersonLimit, of person: UUID) throws -> Bool {
    try owner.remove(limit, of: person)
  }
  func unansweredAlerts(
    of subject: EscalationSubject, at level: AlertLevel, in windows: EscalationWindows, limit: Int
  ) throws -> [UnansweredAlert] {
    try sender.unansweredAlerts(of: subject, at: level, in: windows, limit: limit)
  }
  func cancelInApp(
    _ reasons: [UUID: PlannedNotification.StatusReason], at now: Timestamp
  ) throws -> [PlannedNotification.StatusReason: Int] {
    try sender.cancelInApp(reasons, at: now)
  }
  func escalationChoices(of person: UUID) throws -> [AlertLevel: EscalationChoice] {
    try owner.escalationChoices(of: person)
  }
  func choose(
    _ choice: EscalationChoice?, at levels: [AlertLevel], by person: UUID
  ) throws -> [AlertLevel: EscalationChoice] {
    try owner.choose(choice, at: levels, by: person)
  }
  func escalationCourse(
    of alert: UUID, _ subject: EscalationSubject, at level: AlertLevel, asOf now: Timestamp
  ) throws -> EscalationCourse? {
    try sender.escalationCourse(of: alert, subject, at: level, asOf: now)
  }
  func carryOut(
    _ step: EscalationStep, of course: EscalationCourse, at now: Timestamp
  ) throws -> Int? {
    try sender.carryOut(step, of: course, at: now)
  }

  func claim(_ request: DispatchClaim, at now: Timestamp) throws -> [ClaimedNotification] {
    try sender.claim(request, at: now)
  }

  func dueNotifications(
    on channel: PlannedNotification.Channel, _ priority: PlannedNotification.Priority,
    after place: DuePage.Place?, limit: Int, leasesEndedBy end: Timestamp, at now: Timestamp
  ) throws -> DuePage {
    try sender.dueNotifications(
      on: channel, priority, after: place, limit: limit, leasesEndedBy: end, at: now)
  }

  func messageCounts(
    of rows: [ClaimedNotification], in month: Day
  ) throws -> [UUID: MessageCount] {
    try sender.messageCounts(of: rows, in: month)
  }

  func logMessages(
    _ messages: [LoggedMessage], in month: Day, quota: Int?, at now: Timestamp
  ) throws -> Set<UUID> {
    try sender.logMessages(messages, in: month, quota: quota, at: now)
  }

  func record(_ allowance: MessageAllowance?, at now: Timestamp) throws {
    try sender.record(allowance, at: now)
  }

  func sendingState(of id: UUID) throws -> SendingState? {
    try sender.sendingState(of: id)
  }

  func circumstances(
    of rows: [ClaimedNotification], countingSince day: Timestamp?
  ) throws -> [UUID: ClaimCircumstances] {
    try sender.circumstances(of: rows, countingSince: day)
  }

  func addresses(
    of users: [UUID], on channel: PlannedNotification.Channel
  ) throws -> [UUID: [DeliveryAddress]] {
    try sender.addresses(of: users, on: channel)
  }

  func renew(_ leases: [DispatchLease], until end: Timestamp) throws -> Set<UUID> {
    try sender.renew(leases, until: end)
  }

  func settle(_ outcomes: [DispatchOutcome], at now: Timestamp) throws -> Set<UUID> {
    try sender.settle(outcomes, at: now)
  }

  func takeBackLeases(endedBy now: Timestamp) throws -> TakenBackLeases {
    try sender.takeBackLeases(endedBy: now)
  }

  func channelRests() throws -> [ChannelRest] { try sender.channelRests() }
  func record(
    _ rest: ChannelRest?, of channel: PlannedNotification.Channel, at now: Timestamp
  ) throws {
    try sender.record(rest, of: channel, at: now)
  }
  func deadLetters(since start: Timestamp) throws -> [DeadLetters] {
    try sender.deadLetters(since: start)
  }
  func newestRunStart() throws -> Timestamp? { try sender.newestRunStart() }

  func dispatchBacklog(
    on channels: [PlannedNotification.Channel], at now: Timestamp, limit: Int
  ) throws -> DispatchBacklog {
    try sender.dispatchBacklog(on: channels, at: now, limit: limit)
  }
}
