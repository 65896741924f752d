import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilDetection
import VigilModel
import VigilStorage
import VigilVitality

/// A database keeps the settings that its rows are made with, until an operator switches them.
@Suite struct ProfileTests {
  private static let first = Day(ordinal: 20_000)
  private let people = (0..<3).map { UUID(name: "profile \($0)") }.sorted()
  private let mother = UUID(name: "profile mother")

  /// Persons of a family whose steps fall by half on day 30 for good: v2 knows one episode until the end,
  /// v1 ends one after the other.
  private func database(_ kind: DatabaseKind) throws -> BatchDatabase {
    let database = try BatchDatabase(kind)
    let values = SeriesNotation(stringLiteral: "8000x30 4000x30").values.enumerated()
    try database.insert(
      people.map { person in
        .init(
          person: person, metric: "steps",
          values: Dictionary(uniqueKeysWithValues: values.map { (Self.first + $0, $1) }))
      })
    let family = UUID(name: "profile family")
    try database.insert(
      people.map {
        FamilyMember(family: family, user: $0, role: .member, inviteStatus: .accepted)
      } + [FamilyMember(family: family, user: mother, role: .admin, inviteStatus: .accepted)])
    return database
  }

  private func days(_ first: Int, _ last: Int) -> ClosedRange<Day> {
    (Self.first + first)...(Self.first + last)
  }

  private func alerts(_ database: BatchDatabase, active: Bool? = nil) throws -> [PatternAlertState]
  {
    try database.storage.alertStates(matching: AlertFilter(isActive: active))
  }

  private func expectRefusal(
    _ words: [String], _ remedy: Remedy? = nil,
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
  ) {
    let error = #expect(throws: StorageError.self, sourceLocation: sourceLocation) { try body() }
    #expect(error?.code == .otherProfile, sourceLocation: sourceLocation)
    if let remedy { #expect(error?.remedy == remedy, sourceLocation: sourceLocation) }
    for word in words {
      #expect(
        error?.description.contains(word) == true, "\(error?.description ?? "")",
        sourceLocation: sourceLocation)
    }
  }

  // MARK: Refusing

  @Test(arguments: DatabaseKind.allCases)
  func aRunWithOtherSettingsIsRefusedBeforeAnythingIsWritten(kind: DatabaseKind) throws {
    let (v1, v2) = try (BatchDatabase.thresholds("v1"), BatchDatabase.thresholds("v2"))
    let database = try database(kind)
    try database.run(days(30, 44), thresholds: v2)
    let written = try database.dump() + database.rows(of: "batch_runs")
    let edited = try BatchDatabase.thresholds("v2", digest: String(repeating: "e", count: 64))
    expectRefusal(
      ["v2@000000000000", "v1@000000000000"],
      .keepOrSwitchProfile(part: .patterns, present: v2.profile, wanted: v1.profile)
    ) {
      try database.run(days(45, 45), thresholds: v1, kind: .run)
    }
    expectRefusal(
      ["v2@000000000000", "v2@eeeeeeeeeeee", "a changed file of the same version"],
      .keepOrSwitchProfile(part: .patterns, present: v2.profile, wanted: edited.profile)
    ) {
      try database.run(days(30, 40), thresholds: edited)
    }
    let scores = try (BatchDatabase.vitality("v1").profile, BatchDatabase.vitality("v2").profile)
    expectRefusal(
      ["vitality.v1@", "vitality.v2@"],
      .keepOrSwitchProfile(part: .vitality, present: scores.0, wanted: scores.1)
    ) {
      try database.run(
        days(45, 45), thresholds: v2, kind: .run, vitality: BatchDatabase.vitality("v2"))
    }
    #expect(try database.dump() + database.rows(of: "batch_runs") == written)
    // What a run does not evaluate, it does not write.
    try database.run(days(45, 45), thresholds: v1, kind: .run, parts: [.vitality])
    #expect(try alerts(database) == alerts(database).filter { $0.profile == v2.profile })
  }

  // MARK: Switching

  @Test(arguments: DatabaseKind.allCases)
  func aSwitchEndsActiveEpisodesWithoutANotification(kind: DatabaseKind) throws {
    let (v1, v2) = try (BatchDatabase.thresholds("v1"), BatchDatabase.thresholds("v2"))
    let database = try database(kind)
    for day in 30...36 {
      try database.run(days(day, day), thresholds: v1, kind: .run, mode: .live)
    }
    let before = try alerts(database, active: true)
    #expect(before.count == 3)
    let enqueued = try database.enqueued()
    let run = try database.run(
      days(37, 37), thresholds: v2, kind: .run, mode: .live, switching: true)
    #expect(run.isSilent)
    #expect(run.counts.notificationsEnqueued == 0)
    let ended = try alerts(database, active: false)
    #expect(ended.map(\.id) == before.map(\.id))
    #expect(
      ended.allSatisfy {
        $0.episode.resolution == .init(day: Self.first + 37, reason: .profileChanged)
      })
    let active = try alerts(database, active: true)
    #expect(active.count == 3)
    #expect(active.allSatisfy { $0.profile == v2.profile && $0.lastNotifiedLevel == .day7 })
    #expect(Set(active.map(\.id)).isDisjoint(with: ended.map(\.id)))
    // No later night notifies of it either, except of the next level.
    for day in 38...41 {
      try database.run(days(day, day), thresholds: v2, kind: .run, mode: .live)
    }
    #expect(try database.enqueued() == enqueued)
    for day in 42...44 {
      try database.run(days(day, day), thresholds: v2, kind: .run, mode: .live)
    }
    let fresh = try database.database.rows(
      """
      SELECT DISTINCT template_id FROM notification_queue WHERE alert_state_id IN (
        SELECT id FROM pattern_alert_state WHERE profile LIKE 'v2@%'
      )
      """)
    #expect(fresh.count == 1 && fresh[0].hasSuffix("14"))
    expectRefusal(["v1@"]) { try database.run(days(45, 45), thresholds: v1, kind: .run) }
  }

  @Test(arguments: DatabaseKind.allCases)
  func aSwitchWorksForDaysLongPastAndStaysSilentUntilANightHasCaughtUp(kind: DatabaseKind) throws {
    let (v1, v2) = try (BatchDatabase.thresholds("v1"), BatchDatabase.thresholds("v2"))
    let database = try database(kind)
    try database.run(days(20, 50), thresholds: v1)
    let old = try alerts(database).filter { !$0.episode.isActive }
    let planned = try database.queue(.shadow)
    #expect(try database.run(days(25, 34), thresholds: v2, switching: true).isSilent)
    #expect(try database.run(days(35, 40), thresholds: v2).isSilent)
    #expect(try database.queue(.shadow) == planned)
    // Rows of the old profile stay what they were, apart from what was going on.
    #expect(try alerts(database).filter { $0.profile == v1.profile && old.contains($0) } == old)
    #expect(try alerts(database, active: true).allSatisfy { $0.profile == v2.profile })
    #expect(try database.run(days(51, 51), thresholds: v2, kind: .run).isSilent)
    #expect(try database.queue(.shadow) == planned)
    #expect(try !database.run(days(52, 52), thresholds: v2, kind: .run).isSilent)
    // v2 alone knows the same episodes, whatever was there before.
    let alone = try self.database(kind)
    try alone.run(days(25, 34), thresholds: v2)
    try alone.run(days(35, 40), thresholds: v2)
    try alone.runNightly(days(51, 52), thresholds: v2)
    #expect(
      try alerts(alone).map(\.id) == alerts(database).filter { $0.profile == v2.profile }.map(\.id))
    #expect(
      try alerts(alone).map(\.episode)
        == alerts(database).filter { $0.profile == v2.profile }.map(\.episode))
  }

  @Test(arguments: DatabaseKind.allCases)
  func aSwitchThatWasCutOffGoesOnInSilence(kind: DatabaseKind) throws {
    let (v1, v2) = try (BatchDatabase.thresholds("v1"), BatchDatabase.thresholds("v2"))
    let database = try database(kind)
    try database.runNightly(days(30, 36), thresholds: v1, mode: .live)
    let enqueued = try database.enqueued()
    let counting = FlakyStorage(database.storage)
    let cut = try database.run(
      days(37, 37), thresholds: v2, kind: .run, mode: .live, batchSize: 1, switching: true,
      through: counting, shouldStop: { counting.history.writes >= 1 })
    #expect(cut.status == .interrupted)
    // The next night does not know of the switch, nor whom it did not reach.
    let next = try database.run(days(38, 38), thresholds: v2, kind: .run, mode: .live)
    #expect(next.isSilent)
    #expect(try alerts(database, active: true).count == 3)
    #expect(try alerts(database, active: true).allSatisfy { $0.lastNotifiedLevel == .day7 })
    #expect(try !database.run(days(39, 39), thresholds: v2, kind: .run, mode: .live).isSilent)
    #expect(try database.enqueued() == enqueued)
  }

  @Test(arguments: DatabaseKind.allCases)
  func aSwitchForSomePersonsIsNotOverBeforeANightOfEverybody(kind: DatabaseKind) throws {
    let (v1, v2) = try (BatchDatabase.thresholds("v1"), BatchDatabase.thresholds("v2"))
    let database = try database(kind)
    try database.runNightly(days(30, 36), thresholds: v1, mode: .live)
    let enqueued = try database.enqueued()
    try database.run(
      days(37, 37), thresholds: v2, kind: .run, mode: .live, persons: [people[0]], switching: true)
    #expect(try alerts(database, active: true).map(\.series.user) == [people[0]])
    #expect(try database.run(days(38, 38), thresholds: v2, kind: .run, mode: .live).isSilent)
    #expect(try alerts(database, active: true).count == 3)
    #expect(try !database.run(days(39, 39), thresholds: v2, kind: .run, mode: .live).isSilent)
    #expect(try database.enqueued() == enqueued)
  }

  @Test(arguments: DatabaseKind.allCases)
  func switchingBackTakesTheOldAlertsUpAgain(kind: DatabaseKind) throws {
    let (v1, v2) = try (BatchDatabase.thresholds("v1"), BatchDatabase.thresholds("v2"))
    let database = try database(kind)
    let undisturbed = try self.database(kind)
    try undisturbed.runNightly(days(30, 42), thresholds: v2)
    try database.runNightly(days(30, 36), thresholds: v2)
    let known = try alerts(database, active: true).map(\.id)
    try database.run(days(37, 37), thresholds: v1, kind: .run, switching: true)
    #expect(try Set(alerts(database, active: true).map(\.id)).isDisjoint(with: known))
    try database.run(days(38, 38), thresholds: v2, kind: .run, switching: true)
    try database.runNightly(days(39, 42), thresholds: v2)
    #expect(try alerts(database, active: true).map(\.id) == known)
    #expect(
      try alerts(database, active: true).map(\.episode) == alerts(undisturbed).map(\.episode))
  }

  // MARK: Mixtures

  @Test(arguments: DatabaseKind.allCases)
  func aMixtureIsNamedAndCanBeEnded(kind: DatabaseKind) throws {
    let (v1, v2) = try (BatchDatabase.thresholds("v1"), BatchDatabase.thresholds("v2"))
    let database = try database(kind)
    try database.run(days(30, 36), thresholds: v1)
    // The state after two profiles took turns, before Vigil kept them apart.
    try database.database.execute(
      """
      UPDATE pattern_alert_state SET thresholds_version = 'v2', profile = 'v2@000000000000'
      WHERE user_id = '\(people[0].lowercased)'
      """)
    let mixed = Finding.onProfiles(
      try database.storage.databaseProfiles(), active: try database.storage.activeProfiles())
    #expect(mixed.status == .failure)
    #expect(mixed.detail.contains("v1@") && mixed.detail.contains("v2@000000000000 (1)"))
    try database.database.execute("DELETE FROM database_profile")
    let unrecorded = Finding.onProfiles(
      try database.storage.databaseProfiles(), active: try database.storage.activeProfiles())
    #expect(unrecorded.status == .failure)
    #expect(unrecorded.remedy == .switchToProfile)
    for thresholds in [v1, v2] {
      expectRefusal(["1 of v2@", "2 of v1@"], .chooseProfile) {
        try database.run(days(37, 37), thresholds: thresholds, kind: .run)
      }
    }
    try database.run(days(37, 37), thresholds: v2, kind: .run, switching: true)
    #expect(try alerts(database, active: true).allSatisfy { $0.profile == v2.profile })
    let repaired = Finding.onProfiles(
      try database.storage.databaseProfiles(), active: try database.storage.activeProfiles())
    #expect(repaired.status == .ok)
  }

  @Test(arguments: DatabaseKind.allCases)
  func shardsOfOneSwitchAgree(kind: DatabaseKind) throws {
    let (v1, v2) = try (BatchDatabase.thresholds("v1"), BatchDatabase.thresholds("v2"))
    let database = try database(kind)
    try database.runNightly(days(30, 36), thresholds: v1, mode: .live)
    let enqueued = try database.enqueued()
    for index in 1...2 {
      let run = try database.run(
        days(37, 37), thresholds: v2, kind: .run, mode: .live,
        shard: #require(RunShard(index, of: 2)), switching: true)
      #expect(run.isSilent)
    }
    #expect(try alerts(database, active: true).count == 3)
    #expect(try !database.run(days(38, 38), thresholds: v2, kind: .run, mode: .live).isSilent)
    #expect(try database.enqueued() == enqueued)
  }
}
