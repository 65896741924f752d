import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilBatch
import VigilDetection
import VigilModel
import VigilStorage

/// A profile that is followed beside the database's own: its rows are those of a shadow run of its own, and
/// nothing else is different.
@Suite struct ProfilePlanTests {
  private static let days = (RandomHistories.first + 150)...(RandomHistories.first + 159)

  private static func thresholds(_ name: String) throws -> Thresholds {
    try BatchDatabase.thresholds(name, digest: String(repeating: String(name.suffix(1)), count: 64))
  }

  private func database(_ kind: DatabaseKind, seed: Int) throws -> BatchDatabase {
    try RandomHistories(seed: seed, persons: kind == .sqlite ? 60 : 25, days: 162).database(kind)
  }

  /// The alerts of one profile, in a dump of all.
  private func alerts(_ database: BatchDatabase, of profile: String) throws -> [String] {
    try database.alertStates().filter { $0.contains("profile=\(profile)@") }
  }

  private func queues(_ database: BatchDatabase) throws -> [String] {
    try database.queue(.shadow) + database.queue(.live)
  }

  /// Queue rows about alerts of a profile.
  private func queued(_ database: BatchDatabase, about profile: String) throws -> [String] {
    try ["notification_queue", "shadow_notification_queue"].flatMap { queue in
      try database.database.rows(
        """
        SELECT row.dedupe_key FROM \(queue) AS row
        JOIN pattern_alert_state AS alert ON alert.id = row.alert_state_id
        WHERE alert.profile LIKE '\(profile)@%'
        """)
    }
  }

  // MARK: Rows

  @Test(arguments: DatabaseKind.allCases, [["v1", "v3"], ["v3", "v1"], ["v2", "v1"]])
  func theRowsAreThoseOfAShadowRunOfItsOwn(kind: DatabaseKind, profiles: [String]) throws {
    let (own, candidate) = try (Self.thresholds(profiles[0]), Self.thresholds(profiles[1]))
    let beside = try database(kind, seed: 31)
    let (alone, other) = try (beside.copy(), beside.copy())
    let record = try beside.run(Self.days, thresholds: own, candidate: candidate)
    try alone.run(Self.days, thresholds: own)
    try other.run(Self.days, thresholds: candidate)
    #expect(record.candidate == candidate.profile)
    let found = try alerts(beside, of: profiles[1])
    #expect(found.count > (profiles[1] == "v3" ? 2 : 100))
    try expectSame(found, other.alertStates())
    try expectSame(alerts(beside, of: profiles[0]), alone.alertStates())
    try expectSame(queues(beside), queues(alone))
    #expect(try queued(beside, about: profiles[1]).isEmpty)
  }

  @Test(arguments: DatabaseKind.allCases, [RunRecord.Mode.shadow, .live])
  func nightsLeaveTheRowsOfABackfillAndNotifyOfNothingElse(
    kind: DatabaseKind, mode: RunRecord.Mode
  ) throws {
    let (own, candidate) = try (Self.thresholds("v2"), Self.thresholds("v1"))
    for seed in 0..<Repetitions.count(fast: 1, long: 4) {
      let nightly = try database(kind, seed: 40 + seed)
      let (backfill, alone) = try (nightly.copy(), nightly.copy())
      try nightly.runNightly(Self.days, thresholds: own, candidate: candidate, mode: mode)
      try backfill.run(Self.days, thresholds: own, candidate: candidate)
      try alone.runNightly(Self.days, thresholds: own, mode: mode)
      try expectSame(alerts(nightly, of: "v1"), alerts(backfill, of: "v1"), "seed \(seed)")
      try expectSame(alerts(nightly, of: "v2"), alone.alertStates(), "seed \(seed)")
      try expectSame(queues(nightly), queues(alone), "seed \(seed)")
      #expect(try !queues(nightly).isEmpty && queued(nightly, about: "v1").isEmpty)
      // Nothing new the second time.
      let before = try nightly.dump()
      let last = Self.days.upperBound...Self.days.upperBound
      try nightly.run(last, thresholds: own, candidate: candidate, kind: .run, mode: mode)
      try expectSame(nightly.dump(), before, "seed \(seed)")
    }
  }

  // MARK: Interruptions

  @Test(arguments: DatabaseKind.allCases)
  func interruptedAgainAndAgainARunEndsLikeAnUndisturbedOne(kind: DatabaseKind) throws {
    let (own, candidate) = try (Self.thresholds("v1"), Self.thresholds("v3"))
    let fresh = try database(kind, seed: 51)
    let undisturbed = try fresh.copy()
    try undisturbed.run(Self.days, thresholds: own, candidate: candidate)
    let persons = try undisturbed.storage.persons(withDataIn: Self.days)
    for seed in 1...Repetitions.count(fast: 2, long: 6) {
      var random = SeededGenerator(seed: seed)
      let database = try fresh.copy()
      for way in [0, 1, 2].shuffled(using: &random) {
        let batches = Int.random(in: 0...3, using: &random)
        guard way > 0 else {
          let full = FlakyStorage(database.storage, limits: .init(writes: batches))
          _ = try #require(throws: StorageError.self) {
            try database.run(
              Self.days, thresholds: own, candidate: candidate, batchSize: 2, through: full)
          }
          continue
        }
        try database.run(
          Self.days, thresholds: own, candidate: candidate, stoppingAfter: batches, batchSize: 2)
        if way == 1 { try database.forgetEnds() }
      }
      try database.run(
        Self.days, thresholds: own, candidate: candidate, workers: 2,
        batchSize: Int.random(in: 1...12, using: &random))
      try expectSame(database.dump(), undisturbed.dump(), "seed \(seed)")
      try database.expectOneRun(like: undisturbed.records(), persons: persons, "seed \(seed)")
    }
  }

  @Test func aRunWithAnotherCandidateIsOtherWork() throws {
    let own = try Self.thresholds("v1")
    let database = try database(.sqlite, seed: 52)
    try database.run(
      Self.days, thresholds: own, candidate: Self.thresholds("v2"), stoppingAfter: 1, batchSize: 2)
    let other = try database.run(
      Self.days, thresholds: own, candidate: Self.thresholds("v3"), batchSize: 2)
    #expect(other.status == .succeeded)
    #expect(
      try database.database.rows("SELECT candidate_version, status FROM batch_runs ORDER BY 1")
        == ["v2|interrupted", "v3|succeeded"])
  }

  // MARK: Promotion

  private func promote(_ profile: Profile, in database: BatchDatabase) throws -> ProfilePromotion? {
    try database.storage.withRuns { runs in
      let promotion = try runs.promotion(of: profile, database: "test")
      if let promotion { try runs.promote(promotion, at: BatchDatabase.now) }
      return promotion
    }
  }

  @Test(arguments: DatabaseKind.allCases, [RunRecord.Mode.shadow, .live])
  func afterAPromotionNightsGoOnAsIfTheCandidateHadAlwaysNotified(
    kind: DatabaseKind, mode: RunRecord.Mode
  ) throws {
    let (own, candidate) = try (Self.thresholds("v2"), Self.thresholds("v1"))
    let database = try database(kind, seed: 61)
    let first = Self.days.lowerBound...(Self.days.upperBound - 3)
    try database.runNightly(first, thresholds: own, candidate: candidate, mode: mode)
    let always = try database.copy()
    let before = try queues(database)
    let active = try database.storage.alertStates(matching: AlertFilter(isActive: true))
    let promotion = try #require(try promote(candidate.profile, in: database))
    #expect(promotion.from == own.profile && promotion.evaluatedThrough == first.upperBound)
    #expect(promotion.alertsCounted == active.count { $0.profile == candidate.profile })
    #expect(promotion.alertsEnded == active.count { $0.profile == own.profile })
    try expectSame(queues(database), before, "a promotion notifies no one")
    #expect(
      try database.storage.activeProfiles().map(\.profile) == [candidate.profile])
    #expect(try promote(candidate.profile, in: database) == nil, "a second time changes nothing")
    let promoted = try database.alertStates() + database.enqueued()

    // A night of the same day plans nothing: everything that goes on counts as notified.
    let same = first.upperBound...first.upperBound
    let record = try database.run(same, thresholds: candidate, kind: .run, mode: mode)
    #expect(!record.isSilent)
    try expectSame(database.alertStates() + database.enqueued(), promoted)

    // Later nights notify of what is new, as nights that always had the profile do.
    let later = (first.upperBound + 1)...Self.days.upperBound
    let interrupted = try database.copy()
    try database.runNightly(later, thresholds: candidate, mode: mode)
    try always.runNightly(later, thresholds: own, candidate: candidate, mode: mode)
    let columns: Set<String> = [
      "run_id", "computed_at", "created_at", "updated_at", "last_notified_at",
      "last_notified_level", "shadow_notified_level",
    ]
    func episodes(_ database: BatchDatabase) throws -> [String] {
      try database.rows(of: "pattern_alert_state", without: columns)
        .filter { $0.contains("profile=v1@") }
    }
    try expectSame(episodes(database), episodes(always))
    let counted = Set(active.filter { $0.profile == candidate.profile }.map(\.id.lowercased))
    let repeated = try database.database.rows(
      "SELECT alert_state_id, template_id FROM \(mode == .live ? "" : "shadow_")notification_queue"
        + " WHERE template_id LIKE '%level_3'"
    ).filter { counted.contains(String($0.split(separator: "|")[0])) }
    #expect(repeated.isEmpty, "no alert that was active is notified again at its level")
    #expect(try !queued(database, about: "v1").isEmpty)

    // The first night after it may be cut off.
    let night = later.lowerBound...later.lowerBound
    try interrupted.run(
      night, thresholds: candidate, stoppingAfter: 1, kind: .run, mode: mode, batchSize: 2)
    try interrupted.forgetEnds()
    try interrupted.runNightly(later, thresholds: candidate, mode: mode)
    try expectSame(interrupted.dump(), database.dump())
  }

  @Test(arguments: DatabaseKind.allCases)
  func aCandidateThatIsBehindIsNotPromoted(kind: DatabaseKind) throws {
    let (own, candidate) = try (Self.thresholds("v2"), Self.thresholds("v1"))
    let database = try database(kind, seed: 62)
    func expectRefusal(_ words: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
      let before = try database.dump()
      let error = #expect(throws: StorageError.self, sourceLocation: sourceLocation) {
        try promote(candidate.profile, in: database)
      }
      #expect(error?.code == .otherProfile, sourceLocation: sourceLocation)
      #expect(
        error?.message.contains(words) == true, "\(error?.message ?? "")",
        sourceLocation: sourceLocation)
      try expectSame(database.dump(), before, sourceLocation: sourceLocation)
    }
    try expectRefusal("has no profile yet")
    let day = Self.days.lowerBound
    try database.run(day...day, thresholds: own, kind: .run)
    try expectRefusal("was never followed")
    let some = Set(try database.storage.persons(withDataIn: Self.days).prefix(3))
    try database.run(day...day, thresholds: own, candidate: candidate, kind: .run, persons: some)
    try expectRefusal("was never followed")
    try database.run(
      day...day, thresholds: own, candidate: candidate, stoppingAfter: 1, kind: .run, batchSize: 2)
    try expectRefusal("was never followed")
    try database.run(day...day, thresholds: own, candidate: candidate, kind: .run)
    try database.run(day + 1...day + 1, thresholds: own, kind: .run)
    try expectRefusal("was followed to \(day) only")
    try database.run(day + 1...day + 1, thresholds: own, candidate: candidate, kind: .run)
    #expect(try promote(candidate.profile, in: database) != nil)
    let refused = #expect(throws: StorageError.self) {
      try database.run(day + 2...day + 2, thresholds: own, kind: .run)
    }
    #expect(refused?.code == .otherProfile)
  }

  // MARK: Refusals and other commands

  @Test func aCandidateIsAnotherProfile() throws {
    let own = try Self.thresholds("v1")
    let database = try database(.sqlite, seed: 53)
    let error = #expect(throws: BatchError.self) {
      try database.run(Self.days, thresholds: own, candidate: own)
    }
    #expect(error?.code == .ownCandidate)
    #expect(try database.storage.runs(limit: 1).isEmpty, "nothing is recorded")
  }

  @Test(arguments: DatabaseKind.allCases)
  func goingLiveCountsNoAlertOfACandidate(kind: DatabaseKind) throws {
    let (own, candidate) = try (Self.thresholds("v2"), Self.thresholds("v1"))
    let database = try database(kind, seed: 54)
    try database.run(Self.days, thresholds: own, candidate: candidate)
    let ofCandidate = try alerts(database, of: "v1")
    let active = try database.storage.alertStates(matching: AlertFilter(isActive: true))
      .count { $0.profile == own.profile }
    #expect(try database.storage.withRuns { try $0.alertsNeverNotified() } == active)
    #expect(
      try database.storage.withRuns { try $0.goLive(at: BatchDatabase.now) } == active)
    try expectSame(alerts(database, of: "v1"), ofCandidate)
    // Doctor takes the candidate's alerts for what they are.
    let finding = Finding.onProfiles(
      try database.storage.databaseProfiles(), active: try database.storage.activeProfiles(),
      candidates: try database.storage.candidates())
    #expect(finding.status == .ok && finding.detail.contains("candidates: v1@"), "\(finding)")
  }
}
