import Foundation
import Testing
import VigilModel
import VigilStorage

extension ConformanceCheck {
  static let scores = [
    ConformanceCheck("computed scores are written, read, and written again only where they differ")
    {
      try $0.addPersons(1, 2)
      let scores = [
        try score(1, "2026-01-05"), try score(1, "2026-01-06", total: nil, sleep: 0),
        try score(2, "2026-01-06", total: 100),
      ]
      for _ in 1...2 { try $0.write(VitalityWrite(scores: scores)) }
      #expect(try $0.scores() == scores)
      let changed = try score(1, "2026-01-05", total: 12, version: "v2")
      try $0.write(VitalityWrite(scores: [changed]))
      #expect(try $0.scores() == [changed] + scores.dropFirst())
      try $0.write(
        VitalityWrite(outdatedScores: [.init(user: person(1), day: try day("2026-01-06"))]))
      #expect(try $0.scores() == [changed, scores[2]])
      #expect(try $0.scores(of: [person(2), person(3)]) == [scores[2]])
      #expect(try $0.scores(of: []).isEmpty)
    },

    ConformanceCheck(
      "a score from elsewhere is neither overwritten nor deleted, even when asked to"
    ) {
      try $0.addPersons(1)
      let days = ["2026-01-05", "2026-01-06"]
      let foreign = try days.map { try score(1, $0, total: 40, source: "app") }
      try $0.add(foreign)
      try $0.write(
        VitalityWrite(
          scores: try days.map { try score(1, $0) } + [try score(1, "2026-01-07")],
          outdatedScores: try days.map { .init(user: person(1), day: try day($0)) }))
      #expect(try $0.scores() == foreign + [try score(1, "2026-01-07")])
      // An app may take over what was computed.
      let taken = try score(1, "2026-01-07", total: 41, source: "app")
      try $0.add([taken])
      #expect(try $0.scores() == foreign + [taken])
    },

    ConformanceCheck("a batch of scores is written with its checkpoint, and not again") { fixture in
      try fixture.addPersons(1)
      try fixture.put(try sampleRun())
      func write(total: Int) throws {
        _ = try fixture.storage.write(
          BatchWrite(
            alertStates: [], notifications: [], queue: .shadow, runID: runID,
            writtenAt: time("2026-03-01T02:00:00Z"), checkpoint: sampleCheckpoint(1, 1),
            vitality: VitalityWrite(scores: [score(1, "2026-01-05", total: total)])))
      }
      try write(total: 50)
      try write(total: 60)
      #expect(try fixture.scores().map(\.total) == [50])
    },

    ConformanceCheck("readers give the scores of the persons and days asked for, computed or not") {
      try $0.addPersons(1, 2, 3)
      let wanted = [
        try score(3, "2026-01-05", total: nil, source: "app"), try score(3, "2026-01-08"),
        try score(1, "2026-01-06", sleep: nil),
      ]
      let others = [
        try score(3, "2026-01-04"), try score(3, "2026-01-09", source: "app"),
        try score(2, "2026-01-06"),
      ]
      try $0.write(VitalityWrite(scores: (wanted + others).filter { !$0.isForeign }))
      try $0.add((wanted + others).filter(\.isForeign))
      let persons = [person(3), person(9), person(1)]
      var found: [(person: Int, row: VitalityScore)] = []
      let unusable = try $0.storage.makeReader().readScores(
        of: persons, days: day("2026-01-05")...day("2026-01-08")
      ) { found.append(($0, $1)) }
      #expect(unusable.isEmpty)
      #expect(Set(found.map(\.row)) == Set(wanted))
      #expect(found.count == wanted.count)
      #expect(found.allSatisfy { persons[$0.person] == $0.row.user })
    },

    ConformanceCheck("a person with a score from elsewhere on one of the days has data") {
      try $0.addPersons(1, 2, 3)
      try $0.add([
        try score(1, "2026-01-05", source: "app"), try score(2, "2026-01-04", source: "app"),
      ])
      try $0.write(VitalityWrite(scores: [try score(3, "2026-01-05")]))
      #expect(
        try $0.storage.persons(withDataIn: day("2026-01-05")...day("2026-01-06")) == [person(1)])
    },

    ConformanceCheck("a person with scores when last evaluated has data, until none is left") {
      try $0.addPersons(1, 2, 3)
      func coverage(_ number: Int, _ date: String, days: Int) throws -> TrendCoverage {
        TrendCoverage(
          user: person(number), day: try day(date), coverage: days, daysNeeded: 7 - days,
          lastScoreDay: days > 0 ? try day("2026-01-02") : nil)
      }
      let days = try day("2026-01-05")...day("2026-01-06")
      try $0.write(
        VitalityWrite(coverages: [
          coverage(1, "2026-01-05", days: 1), coverage(2, "2026-01-04", days: 1),
          coverage(3, "2026-01-05", days: 0),
        ]))
      #expect(try $0.storage.persons(withDataIn: days) == [person(1)])
      // A later day counts too: its evaluation used data that may have gone.
      try $0.write(
        VitalityWrite(coverages: [
          coverage(1, "2026-01-06", days: 0), coverage(2, "2026-01-09", days: 1),
        ]))
      #expect(try $0.storage.persons(withDataIn: days) == [person(2)])
    },

    ConformanceCheck("scores from elsewhere of unknown persons are unusable, not computed ones") {
      try $0.addPersons(1, 2, 3)
      let computed = try (1...3).map { try score($0, "2026-01-05") }
      try $0.write(VitalityWrite(scores: computed))
      let days = try day("2026-01-01")...day("2026-01-31")
      #expect(try $0.storage.unusableRows(in: days).isEmpty)
      // What was computed is not input.
      #expect(try $0.storage.countRows(in: days, upTo: 10) == 0)
      let foreign = try (1...2).map { try score($0, "2026-01-06", source: "app") }
      try $0.add(foreign)
      #expect(try $0.storage.countRows(in: days, upTo: 10) == 2)
      try $0.executeWithoutReferences(
        "DELETE FROM users WHERE id IN ('\(person(2).lowercased)', '\(person(3).lowercased)')")
      let unusable = try $0.storage.unusableRows(in: days)
      #expect(unusable.counts.map(\.table) == ["vitality_scores"])
      #expect(unusable.details.map(\.reason) == [.unknownPerson])
      #expect(unusable.details.map(\.key) == ["\(person(2).lowercased),2026-01-06"])
      // They are never read, and cause no fault.
      #expect(try Set($0.scores()) == Set(computed + foreign))
    },

    ConformanceCheck("birth dates come in the order of the persons, nil where there is none") {
      try $0.addPersons(1, 3)
      try $0.add(
        .users, ["id", "birth_date"],
        [
          [.uuid(person(2)), .day(try day("1950-02-28"))],
          [.uuid(person(4)), .day(try day("0001-01-01"))],
        ])
      let dates = try $0.storage.makeReader().birthDates(of: [4, 1, 9, 2, 3].map { person($0) })
      #expect(dates == [try day("0001-01-01"), nil, nil, try day("1950-02-28"), nil])
      #expect(try $0.storage.makeReader().birthDates(of: []).isEmpty)
    },

    ConformanceCheck(
      "numeric columns of the metrics can be metrics, also those that an operator added"
    ) {
      let known = Set(InputTable.wearableMetrics)
      #expect(try $0.storage.metricColumns().numeric == known)
      #expect(try !$0.storage.metricColumns().isView)
      try $0.execute(
        """
        ALTER TABLE wearable_daily_metrics ADD COLUMN glucose DOUBLE PRECISION;
        ALTER TABLE wearable_daily_metrics ADD COLUMN mood TEXT
        """)
      let columns = try $0.reopened().metricColumns()
      #expect(columns.numeric == known.union([MetricType("glucose")]))
      #expect(columns.others[MetricType("mood")]?.lowercased() == "text")
    },

    ConformanceCheck("coverage is one row a person, of the last evaluated day") {
      try $0.addPersons(1, 2)
      let newest = TrendCoverage(
        user: person(1), day: try day("2026-01-07"), coverage: 9, daysNeeded: 0,
        lastScoreDay: try day("2026-01-06"), firstDay: try day("2026-01-02"), digest: .min)
      let none = TrendCoverage(
        user: person(2), day: try day("2026-01-07"), coverage: 0, daysNeeded: 7, lastScoreDay: nil)
      try $0.write(VitalityWrite(coverages: [newest, none]), at: "2026-01-08T02:00:00Z")
      #expect(try $0.storage.trendCoverages(of: nil) == [newest, none])
      #expect(try $0.storage.trendCoverages(of: [person(2)]) == [none])
      let reader = try $0.storage.makeReader()
      #expect(
        try reader.trendCoverages(of: [person(3), person(2), person(1)])
          == [person(1): newest, person(2): none])
      #expect(try reader.trendCoverages(of: []).isEmpty)
      let written = "SELECT CAST(updated_at AS TEXT) FROM trend_coverage ORDER BY user_id"
      let before = try $0.strings(written)

      // A backfill of the past says nothing about today.
      var earlier = newest
      earlier.day = try day("2026-01-06")
      earlier.coverage = 8
      try $0.write(VitalityWrite(coverages: [earlier, none]), at: "2026-01-09T02:00:00Z")
      #expect(try $0.storage.trendCoverages(of: nil) == [newest, none])
      #expect(try $0.strings(written) == before)

      var (again, later) = (newest, none)
      again.firstDay = try day("2026-01-01")
      again.digest = 7
      later.day = try day("2026-01-08")
      try $0.write(VitalityWrite(coverages: [again, later]), at: "2026-01-10T02:00:00Z")
      #expect(try $0.storage.trendCoverages(of: nil) == [again, later])
    },
  ]
}

/// A computed score, unless it is of another source.
func score(
  _ number: Int, _ date: String, total: Int? = 70, sleep: Int? = 65, version: String = "v1",
  source: String = VitalityScore.computedSource
) throws -> VitalityScore {
  VitalityScore(
    user: person(number), day: try day(date), total: total, sleep: sleep, movement: nil,
    stress: 75, schemaVersion: version, source: source)
}

extension StorageFixture {
  func write(
    _ vitality: VitalityWrite? = nil, insights: InsightWrite? = nil,
    at now: String = "2026-03-01T02:00:00Z"
  ) throws {
    _ = try storage.write(
      BatchWrite(
        alertStates: [], notifications: [], queue: .shadow, runID: runID, writtenAt: time(now),
        vitality: vitality, insights: insights))
  }

  /// Imports scores.
  fileprivate func add(_ scores: [VitalityScore]) throws {
    func value(_ score: Int?) -> InputValue { score.map { .integer(Int64($0)) } ?? .null }
    try add(
      .vitalityScores, InputTable.vitalityScores.columns.map(\.name),
      scores.map {
        [
          .uuid($0.user), .day($0.day), value($0.total), value($0.sleep), value($0.movement),
          value($0.stress), .text($0.schemaVersion), .text($0.source),
        ]
      })
  }

  fileprivate func scores(of users: [UUID]? = nil) throws -> [VitalityScore] {
    try storage.vitalityScores(of: users, in: day("2026-01-01")...day("2026-12-31"))
  }
}
