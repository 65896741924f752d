import Foundation
import Synchronization
import TestDatabases
import TestSupport
import Testing
import VigilBatch
import VigilDetection
import VigilModel
import VigilStorage

/// Stored rows when runs come again, late, or in another order.
@Suite struct ReconciliationTests {
  static let first = Day(ordinal: 20_000)
  private let person = UUID(name: "reconciled person")

  private func series(
    _ notation: SeriesNotation, of person: UUID? = nil
  ) -> BatchDatabase.Series {
    var values: [Day: Double] = [:]
    for (index, value) in notation.values.enumerated() where !value.isNaN {
      values[Self.first + index] = value
    }
    return .init(person: person ?? self.person, metric: "steps", values: values)
  }

  private func states(_ database: BatchDatabase) throws -> [PatternAlertState] {
    try database.storage.alertStates(matching: AlertFilter())
  }

  @Test(arguments: DatabaseKind.allCases)
  func anEpisodeThatCorrectedDataNoLongerSupportIsRetractedAndKept(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let database = try BatchDatabase(kind)
    try database.insert([series("8000x30 4000x4")])
    let night = Self.first + 33
    try database.run(night...night, thresholds: thresholds, kind: .run)
    let before = try #require(try states(database).first)
    #expect(before.episode.isActive)
    let planned = try database.queue()

    try database.insert([series("8000x35")])
    let record = try database.run((night + 1)...(night + 1), thresholds: thresholds, kind: .run)
    let after = try #require(try states(database).first)
    #expect(after.id == before.id)
    #expect(after.episode.resolution == .init(day: night + 1, reason: .retracted))
    #expect(after.episode.figures == before.episode.figures)
    #expect(after.shadowNotifiedLevel == before.shadowNotifiedLevel)
    #expect(record.counts.episodesResolved == 1)
    #expect(try database.queue() == planned)
    try database.run((night + 1)...(night + 1), thresholds: thresholds, kind: .run)
    #expect(try states(database) == [after])
  }

  @Test(arguments: DatabaseKind.allCases, ["v1", "v2"])
  func aBackfillOfEarlierDaysLeavesWhatLaterNightsKnow(kind: DatabaseKind, profile: String) throws {
    let thresholds = try BatchDatabase.thresholds(profile)
    let database = try BatchDatabase(kind)
    try database.insert([series("8000x30 4000x6 8000x15 4000x5 _ 4000x10")])
    try database.run((Self.first + 20)...(Self.first + 66), thresholds: thresholds)
    let before = try database.dump()
    // Ends in the middle of the first episode, which by now is known to be over; or, in v1, on the day
    // before another episode supersedes the second.
    for last in [33, 57, 58] {
      try database.run((Self.first + 20)...(Self.first + last), thresholds: thresholds)
      #expect(try database.dump() == before)
    }
  }

  @Test(arguments: DatabaseKind.allCases, ["v1", "v2"])
  func lateRowsGiveTheStateOfTimelyOnes(kind: DatabaseKind, profile: String) throws {
    let thresholds = try BatchDatabase.thresholds(profile)
    let (timely, late) = (try BatchDatabase(kind), try BatchDatabase(kind))
    let last = Self.first + 149
    let complete = (0..<40).map { seed in
      series(
        SeriesNotation(values: RandomSeries(seed: 7000 + seed, days: 150).values),
        of: UUID(name: "late person \(seed)"))
    }
    let kept = complete.enumerated().map { seed, series in
      var random = SeededGenerator(seed: seed)
      var kept = series
      // In the order of days, so that every run of the test keeps the same ones.
      kept.values = series.values.filter { $0.key < last - 12 }
      for day in series.values.keys.sorted() where day >= last - 12 && random.chance(0.6) {
        kept.values[day] = series.values[day]
      }
      return kept
    }
    try timely.insert(complete)
    try late.insert(kept)
    for day in (last - 5)...(last - 1) {
      try timely.run(day...day, thresholds: thresholds, kind: .run)
      try late.run(day...day, thresholds: thresholds, kind: .run)
    }
    try late.insert(complete)
    try timely.run(last...last, thresholds: thresholds, kind: .run)
    try late.run(last...last, thresholds: thresholds, kind: .run)
    let active = try states(timely).filter(\.episode.isActive)
    let found = try states(late).filter(\.episode.isActive)
    #expect(found.map(\.series) == active.map(\.series))
    #expect(found.map(\.episode) == active.map(\.episode))
    #expect(active.count > 5)
  }

  @Test(arguments: DatabaseKind.allCases)
  func anInterruptedBackfillEndsLikeAnUndisturbedOne(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v2")
    let days = (Self.first + 60)...(Self.first + 119)
    let whole = try BatchDatabase(kind)
    try whole.insert(
      (0..<30).map { index in
        let history = RandomSeries(seed: 8000 + index, days: 120)
        return .init(
          person: UUID(name: "interrupted \(index)"), metric: "steps",
          values: history.byDay(from: Self.first))
      })
    let interrupted = try whole.copy()
    try whole.run(days, thresholds: thresholds)
    var done = 0
    for batches in [1, 2] {
      done += batches
      let asked = Mutex(0)
      let record = try interrupted.run(
        days, thresholds: thresholds, batchSize: 5,
        shouldStop: {
          asked.withLock { asked in
            asked += 1
            return asked > batches
          }
        })
      #expect(record.status == .interrupted)
      #expect(record.counts.persons == done * 5)
      #expect(try interrupted.storage.run(id: record.id)?.status == .interrupted)
    }
    let record = try interrupted.run(days, thresholds: thresholds, batchSize: 5)
    #expect(record.status == .succeeded)
    #expect(try interrupted.dump() == whole.dump())
  }

  @Test(arguments: DatabaseKind.allCases)
  func aRunWhoseProcessIsGoneIsClosedByTheNext(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let database = try BatchDatabase(kind)
    try database.insert([series("8000x30")])
    let lost = RunRecord(
      id: UUID(), kind: .run, days: Self.first...Self.first, mode: .shadow,
      thresholds: Profile(version: "v1", digest: String(repeating: "0", count: 64)),
      parts: .all, vitality: nil, engineVersion: "test", host: "test", startedAt: BatchDatabase.now,
      status: .running)
    try database.storage.withRuns { try $0.put(lost) }
    let day = Self.first + 29
    let record = try database.run(day...day, thresholds: thresholds, kind: .run)
    #expect(record.status == .succeeded)
    #expect(try database.storage.run(id: lost.id)?.status == .interrupted)
    #expect(try database.storage.runs(limit: 10).allSatisfy { $0.status != .running })
  }

  @Test(arguments: DatabaseKind.allCases)
  func administratorsAreNotifiedOncePerLevel(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v2")
    let database = try BatchDatabase(kind)
    try database.insert([series("8000x30 4000x12")])
    let family = UUID(name: "reconciled family")
    let mother = UUID(name: "reconciled mother")
    let father = UUID(name: "reconciled father")
    try database.insert([
      FamilyMember(family: family, user: person, role: .member, inviteStatus: .accepted),
      FamilyMember(family: family, user: mother, role: .superadmin, inviteStatus: .accepted),
      FamilyMember(family: family, user: father, role: .admin, inviteStatus: .pending),
    ])
    let days = (Self.first + 25)...(Self.first + 41)
    for _ in 0..<2 {
      try database.runNightly(days, thresholds: thresholds, mode: .live)
    }
    let queue = try database.queue(.live)
    #expect(queue.count == 4)
    #expect(queue.allSatisfy { $0.contains(mother.lowercased) })
    #expect(queue.filter { $0.contains("channel=push") }.count == 2)
    #expect(queue.filter { $0.contains("channel=in_app") }.count == 2)
    let state = try #require(try states(database).first)
    #expect(state.lastNotifiedLevel == .day7)
    #expect(state.shadowNotifiedLevel == nil)
  }

  @Test(arguments: DatabaseKind.allCases)
  func excludedAdministratorsAreNotNotified(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v2")
    let other = UUID(name: "reconciled sister")
    let (mother, father) = (UUID(name: "reconciled mother"), UUID(name: "reconciled father"))
    let days = (Self.first + 25)...(Self.first + 41)
    let cases: [(excluded: [UUID], notified: Set<UUID>)] = [
      ([mother], [father]), ([mother, father], [person]), ([other], [mother, father]),
    ]
    for (excluded, notified) in cases {
      let database = try BatchDatabase(kind)
      var sister = series("8000x30 4000x12")
      sister.person = other
      try database.insert([series("8000x30 4000x12"), sister])
      let family = UUID(name: "reconciled family")
      try database.insert([
        FamilyMember(family: family, user: person, role: .member, inviteStatus: .accepted),
        FamilyMember(family: family, user: other, role: .member, inviteStatus: .accepted),
        FamilyMember(family: family, user: mother, role: .superadmin, inviteStatus: .accepted),
        FamilyMember(family: family, user: father, role: .admin, inviteStatus: .accepted),
      ])
      try database.insert(exclusionsBy: person, of: excluded)
      try database.runNightly(days, thresholds: thresholds, mode: .live)
      let expectations: [UUID: Set<UUID>] = [person: notified, other: [mother, father]]
      for (member, expected) in expectations {
        let recipients = try database.database.rows(
          """
          SELECT DISTINCT recipient_user_id FROM notification_queue
          WHERE member_user_id = '\(member.lowercased)'
          """)
        #expect(Set(recipients) == Set(expected.map(\.lowercased)))
      }
    }
  }

  @Test(arguments: DatabaseKind.allCases)
  func aLiveBackfillEnqueuesOnlyItsLastDay(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v2")
    let database = try BatchDatabase(kind)
    try database.insert([series("8000x30 4000x5 8000x10 4000x8")])
    try database.run(
      (Self.first + 25)...(Self.first + 52), thresholds: thresholds, mode: .live)
    let queue = try database.queue(.live)
    #expect(queue.count == 2)
    #expect(queue.allSatisfy { $0.contains("\"evaluated_end_date\":\"\(Self.first + 52)\"") })
  }
}
