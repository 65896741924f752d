import Foundation
import TestSupport
import Testing
import VigilModel
import VigilStorage

/// Any finite double, mostly of an absurd size.
private func anyDouble(_ random: inout SeededGenerator) -> Double {
  let special = [
    0, -0.0, .leastNonzeroMagnitude, -.leastNormalMagnitude, .greatestFiniteMagnitude,
    -.greatestFiniteMagnitude, 0.1, 1e-7, 1e16, 1 - .ulpOfOne,
  ]
  if random.chance(0.2) { return random.pick(special) }
  while true {
    let value = Double(bitPattern: random.next())
    if value.isFinite { return value }
  }
}

private func anyEvidence(_ days: ClosedRange<Day>, _ random: inout SeededGenerator)
  -> EpisodeEvidence
{
  var weekdays = SIMD8<Double>.zero
  for weekday in 0..<7 { weekdays[weekday] = anyDouble(&random) }
  let anchor = EvidenceAnchor(
    mean: anyDouble(&random), weekdays: weekdays,
    spread: max(abs(anyDouble(&random)), .leastNonzeroMagnitude),
    autocorrelation: Double.random(in: 0..<1, using: &random),
    noise: max(1, abs(anyDouble(&random))))
  return EpisodeEvidence(
    openedOn: days.lowerBound + Int.random(in: 0..<days.count, using: &random),
    windowDays: Int.random(in: 1...4_000_000, using: &random),
    // Columns of SQLite keep no sign of a zero.
    z: anyDouble(&random) + 0, threshold: anyDouble(&random) + 0, shift: anyDouble(&random) + 0,
    anchor: anchor)
}

/// An alert of several metrics together.
private func combinedState(
  _ number: Int, _ random: inout SeededGenerator
) throws -> PatternAlertState {
  let means = try alertState(number)
  let days = means.episode.activeSince...means.episode.lastEvaluated
  let names = ["steps", "sleep_minutes", "hrv_ms", "resting_hr"]
  let count = Int.random(in: 2...3, using: &random)
  let combined = CombinedEvidence(
    openedOn: days.upperBound, windowDays: Int.random(in: 3...28, using: &random),
    evidence: anyDouble(&random) + 0, threshold: anyDouble(&random) + 0,
    contributions: names.prefix(count).map { name in
      CombinedEvidence.Contribution(
        metric: MetricType(name), z: anyDouble(&random),
        shift: Double.random(in: -3...3, using: &random),
        baseline: .init(
          value: anyDouble(&random), start: days.lowerBound - 90, end: days.lowerBound - 1,
          count: Int.random(in: 1...4_000_000, using: &random)),
        recent: .init(
          value: anyDouble(&random), start: days.lowerBound, end: days.upperBound,
          count: Int.random(in: 2...28, using: &random)),
        anchor: anyEvidence(days, &random).anchor)
    }, unchanged: names.dropFirst(count).map { MetricType($0) })
  return PatternAlertState(
    profile: means.profile,
    series: SeriesKey(user: means.series.user, metric: .combined, pattern: .worse),
    episode: Episode(
      activeSince: means.episode.activeSince, lastEvaluated: means.episode.lastEvaluated,
      duration: means.episode.duration, level: means.episode.level, combined: combined),
    runID: means.runID, computedAt: means.computedAt, createdAt: means.createdAt,
    updatedAt: means.updatedAt)
}

/// An alert of missed doses.
private func doseState(_ number: Int, _ random: inout SeededGenerator) throws -> PatternAlertState {
  var state = try alertState(number)
  let days = state.episode.activeSince...state.episode.lastEvaluated
  func share() -> Double { Double.random(in: 0.000_1..<0.99, using: &random) }
  var weekdays = SIMD8<Double>.zero
  for weekday in 0..<7 { weekdays[weekday] = share() }
  let expected = Int.random(in: 1...4_000, using: &random)
  let doses = DoseEvidence(
    openedOn: days.lowerBound + Int.random(in: 0..<days.count, using: &random),
    windowDays: Int.random(in: 3...28, using: &random),
    missed: Int.random(in: 1...3, using: &random),
    expected: Int.random(in: 3...100, using: &random),
    evidence: anyDouble(&random) + 0, threshold: anyDouble(&random) + 0, heldLevel: share(),
    anchor: DoseAnchor(
      missed: Int.random(in: 0...expected, using: &random), expected: expected, share: share(),
      withinDay: Double.random(in: 0...1, using: &random), weekdays: weekdays, run: share(),
      countedDoses: Double.random(in: 5...700, using: &random)),
    recordedOn: random.chance(0.5) ? nil : days.lowerBound + 1)
  state.series.pattern = .drop
  state.episode.doses = doses
  state.episode.figures.recent.count = doses.windowDays
  return PatternAlertState(
    profile: state.profile, series: state.series, episode: state.episode, runID: state.runID,
    computedAt: state.computedAt, createdAt: state.createdAt, updatedAt: state.updatedAt)
}

extension EpisodeEvidence {
  fileprivate var bits: [UInt64] {
    ([z, threshold, shift, anchor.mean, anchor.spread, anchor.autocorrelation, anchor.noise]
      + (0..<8).map { anchor.weekdays[$0] }).map(\.bitPattern)
  }
}

extension ConformanceCheck {
  static let evidence = [
    ConformanceCheck("evidence comes back bit for bit") {
      try $0.addPersons(1)
      for seed in 1...300 {
        var random = SeededGenerator(seed: seed)
        var state = withEvidence(try alertState(1))
        let days = state.episode.activeSince...state.episode.lastEvaluated
        let evidence = anyEvidence(days, &random)
        state.episode.evidence = evidence
        state.episode.figures.recent.count = evidence.windowDays
        _ = try $0.write([state])
        let found = try $0.storage.alertStates(matching: AlertFilter())
        #expect(found == [state], "seed \(seed)")
        #expect(found.first?.episode.evidence?.bits == evidence.bits, "seed \(seed)")
      }
    },

    ConformanceCheck("evidence of several metrics together comes back bit for bit") {
      try $0.addPersons(1)
      for seed in 1...100 {
        var random = SeededGenerator(seed: seed)
        let state = try combinedState(1, &random)
        _ = try $0.write([state])
        let found = try $0.storage.alertStates(matching: AlertFilter())
        #expect(found == [state], "seed \(seed)")
        let reader = try $0.storage.makeReader()
        #expect(
          try reader.alertStates(
            of: [person(1)], in: sampleProfile, touchedSince: day("2026-01-01")) == [state])
      }
    },

    ConformanceCheck("evidence of missed doses comes back bit for bit") {
      try $0.addPersons(1)
      for seed in 1...100 {
        var random = SeededGenerator(seed: seed)
        let state = try doseState(1, &random)
        _ = try $0.write([state])
        let found = try $0.storage.alertStates(matching: AlertFilter())
        #expect(found == [state], "seed \(seed)")
        let reader = try $0.storage.makeReader()
        #expect(
          try reader.alertStates(
            of: [person(1)], in: sampleProfile, touchedSince: day("2026-01-01")) == [state])
      }
    },

    ConformanceCheck("only several metrics together are worse than usual") {
      try $0.addPersons(1)
      var random = SeededGenerator(seed: 1)
      _ = try $0.write([combinedState(1, &random)])
      for change in [
        "metric_type = 'steps'", "pattern_type = 'drop_vs_baseline'", "pattern_type = 'worse'",
      ] {
        let (storage, sql) = ($0, "UPDATE pattern_alert_state SET \(change)")
        let refusal = #expect(throws: (any Error).self, "\(change)") { try storage.execute(sql) }
        #expect("\(try #require(refusal))".contains("pattern_type_known"))
      }
      try $0.execute("UPDATE pattern_alert_state SET anchor = '{}'")
      let storage = $0.storage
      let error = #expect(throws: StorageError.self) {
        try storage.alertStates(matching: AlertFilter())
      }
      #expect(error?.message.contains("anchor") == true)
    },

    ConformanceCheck(
      "an alert of silence comes back as it was written, and never without its figures"
    ) {
      try $0.addPersons(1)
      var state = try alertState(1, metric: "inactivity")
      state.episode.resolution = .init(day: state.episode.lastEvaluated, reason: .left)
      _ = try $0.write([state])
      #expect(try $0.storage.alertStates(matching: AlertFilter()) == [state])
      for change in [
        "opened_on = NULL", "evidence_threshold = NULL", "longest_pause_days = NULL",
        "window_days = 3", "anchor = '{}'",
      ] {
        let (storage, sql) = ($0, "UPDATE pattern_alert_state SET \(change)")
        let refusal = #expect(throws: (any Error).self, "\(change)") { try storage.execute(sql) }
        #expect("\(try #require(refusal))".contains("evidence_complete"), "\(change)")
      }
      let (storage, sql) = ($0, "UPDATE pattern_alert_state SET severity = 'attention'")
      let refusal = #expect(throws: (any Error).self) { try storage.execute(sql) }
      #expect("\(try #require(refusal))".contains("severity_matches_level"))
    },

    ConformanceCheck(
      "an alert of a limit comes back as it was written, and never without its figures"
    ) {
      try $0.addPersons(1)
      var states: [PatternAlertState] = []
      for (pattern, level) in [(PatternType.belowLimit, AlertLevel.day14), (.aboveLimit, .day3)] {
        var state = try alertState(1, metric: "resting_hr", pattern: pattern, level: level)
        let first = state.episode.activeSince
        state.episode.figures = EpisodeFigures(
          38.25, beyond: 40, on: state.episode.lastDeviating, since: first)
        state.episode.limit = LimitEvidence(
          openedOn: first + 1, days: 2, value: 39, limit: 40, level: level)
        states.append(state)
      }
      _ = try $0.write(states)
      let read = try $0.storage.alertStates(matching: AlertFilter())
      #expect(Set(read) == Set(states))
      for change in [
        "opened_on = NULL", "evidence_threshold = NULL", "evidence = NULL", "window_days = NULL",
        "anchor = NULL", "shift_spreads = 1", "longest_pause_days = 3",
      ] {
        let (storage, sql) = ($0, "UPDATE pattern_alert_state SET \(change)")
        let refusal = #expect(throws: (any Error).self, "\(change)") { try storage.execute(sql) }
        #expect("\(try #require(refusal))".contains("evidence_complete"), "\(change)")
      }
      try $0.execute("UPDATE pattern_alert_state SET anchor = '{\"level\":8}'")
      let storage = $0.storage
      let error = #expect(throws: StorageError.self) {
        try storage.alertStates(matching: AlertFilter())
      }
      #expect(error?.message.contains("anchor") == true)
    },

    ConformanceCheck("a batch reads which of its alerts members have read") {
      try $0.addPersons(1, 2)
      let states = try [alertState(1, metric: "inactivity"), alertState(2, metric: "inactivity")]
      _ = try $0.write(states)
      _ = try $0.storage.markRead(states[0].id, by: person(1), at: time("2026-03-01T07:00:00Z"))
      let reader = try $0.storage.makeReader()
      #expect(try reader.readAlerts(among: states.map(\.id)) == [states[0].id])
      #expect(try reader.readAlerts(among: []) == [])
    },

    ConformanceCheck("a later write changes evidence, adds it and takes it away") {
      try $0.addPersons(1)
      let means = try alertState(1)
      let first = withEvidence(means)
      var second = first
      second.episode.evidence?.z = 6.5
      second.episode.evidence?.anchor.mean = 90
      second.episode.resolution = .init(
        day: second.episode.lastEvaluated, reason: .recalibrated)
      for state in [means, first, second, first, means] {
        _ = try $0.write([state])
        #expect(try $0.storage.alertStates(matching: AlertFilter()) == [state])
      }
    },

    ConformanceCheck("a batch reads the evidence of its persons") {
      try $0.addPersons(1, 2)
      let states = try [withEvidence(alertState(1)), alertState(2)]
      _ = try $0.write(states)
      let found = try $0.storage.makeReader().alertStates(
        of: [person(1), person(2)], in: sampleProfile, touchedSince: day("2026-01-01"))
      #expect(found == states)
    },

    ConformanceCheck("values that no evidence has are refused") {
      try $0.addPersons(1, 2)
      try _ = $0.write([withEvidence(alertState(1)), alertState(2)])
      let (with, without) = (person(1).lowercased, person(2).lowercased)
      for (change, constraint) in [
        ("opened_on = NULL", "evidence_complete"), ("anchor = NULL", "evidence_complete"),
        ("window_days = NULL", "evidence_complete"),
        ("evidence = NULL, evidence_threshold = NULL", "evidence_complete"),
        ("shift_spreads = NULL", "evidence_complete"),
        ("opened_on = '2026-01-31'", "dates_in_order"),
        ("opened_on = '2026-02-11'", "dates_in_order"),
        ("window_days = 0", "days_positive"), ("window_days = -1", "days_positive"),
        ("window_days = 4000001", "values_in_range"),
        ("anchor = '[]'", "anchor_is_json"), ("anchor = '7'", "anchor_is_json"),
        (
          "episode_status = 'resolved', resolved_on = '2026-02-10', resolution_reason = 'tired'",
          "resolution_reason_known"
        ),
      ] {
        let (storage, sql) = (
          $0, "UPDATE pattern_alert_state SET \(change) WHERE user_id = '\(with)'"
        )
        let refusal = #expect(throws: (any Error).self, "\(change)") { try storage.execute(sql) }
        let text = refusal.map { "\($0)" } ?? ""
        #expect(text.contains("pattern_alert_state_\(constraint)"), "\(change): \(text)")
      }
      for column in [
        "opened_on = '2026-02-01'", "window_days = 3", "evidence = 5", "evidence_threshold = 4",
        "shift_spreads = 1", "anchor = '{}'",
      ] {
        let (storage, sql) = (
          $0, "UPDATE pattern_alert_state SET \(column) WHERE user_id = '\(without)'"
        )
        #expect(throws: (any Error).self, "\(column)") { try storage.execute(sql) }
      }
      let (storage, sql) = ($0, "UPDATE pattern_alert_state SET anchor = '{' WHERE anchor <> ''")
      #expect(throws: (any Error).self) { try storage.execute(sql) }
    },

    ConformanceCheck("evidence that is infinite or none is refused without its values") {
      try $0.addPersons(1)
      let sound = withEvidence(try alertState(1))
      let storage = $0
      for value in [Double.infinity, -.infinity, .nan] {
        for path in [\EpisodeEvidence.z, \.threshold, \.shift, \.anchor.mean, \.anchor.spread]
          as [WritableKeyPath<EpisodeEvidence, Double>]
        {
          var state = sound
          state.episode.evidence?.shift = 4242.5
          state.episode.evidence?[keyPath: path] = value
          let refused = state
          let error = #expect(throws: StorageError.self) { _ = try storage.write([refused]) }
          #expect(error?.description.contains("4242") == false)
        }
      }
      #expect(try $0.count("pattern_alert_state") == 0)
    },

    ConformanceCheck("an anchor that is damaged is named, and not its values") {
      try $0.addPersons(1)
      try _ = $0.write([withEvidence(alertState(1))])
      let whole = [
        "mean": "93.5", "weekdays": "[1,2,3,4,5,6,7]", "spread": "2", "autocorrelation": "0.5",
        "noise": "1",
      ]
      func text(_ key: String? = nil, _ value: String? = nil) -> String {
        var members = whole
        if let key { members[key] = value }
        return "{"
          + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
          .joined(separator: ",") + "}"
      }
      let damaged =
        whole.keys.sorted().map { text($0) }
        + [
          text("weekdays", "[1,2,3,4,5,6]"), text("weekdays", "[1,2,3,4,5,6,7,8]"),
          text("weekdays", "[]"), text("weekdays", "{}"), text("weekdays", "[1,2,3,4,5,6,null]"),
          text("spread", "0"), text("spread", "-1"), text("autocorrelation", "1"),
          text("autocorrelation", "-0.1"), text("noise", "0.99"), text("mean", "\"93.5\""),
          text("mean", "null"), text("mean", "1e999"), "{}",
        ]
      let storage = $0
      for anchor in damaged {
        try $0.execute("UPDATE pattern_alert_state SET anchor = '\(anchor)'")
        let error = expectStorageError(.corrupt) {
          _ = try storage.storage.alertStates(matching: AlertFilter())
        }
        #expect(
          error?.message.contains("a row of pattern_alert_state has a anchor that is not") == true,
          "\(anchor)")
        #expect(error?.description.contains("93.5") == false)
      }
      for anchor in [text(), text().replacing(",", with: " , "), " " + text()] {
        try $0.execute("UPDATE pattern_alert_state SET anchor = '\(anchor)'")
        let found = try $0.storage.alertStates(matching: AlertFilter())
        #expect(
          found.first?.episode.evidence?.anchor
            == EvidenceAnchor(
              mean: 93.5, weekdays: [1, 2, 3, 4, 5, 6, 7, 0], spread: 2, autocorrelation: 0.5))
      }
    },
  ]
}
