import VigilAnalysis
import VigilDetection
import VigilModel

/// An explanation as the JSON of `vigil_explain`: the figures of `vigil explain --format json`, by the same keys.
struct ExplanationDocument {
  let explanation: Explanation
  let observed: [ObservedDay]
  /// Whether a device was worn on the day; nil for doses.
  let wear: WearFinding?
  let person: PersonRows
  let profile: Profile
  let sensitivity: Sensitivity

  var text: String {
    var json = JSONText()
    json.object { json in
      addDecision(to: &json)
      addJudgement(to: &json)
      json.object("before", explanation.before) { json, episode in json.add(episode) }
      json.object("after", explanation.after) { json, episode in json.add(episode) }
      json.add(explanation.wait)
      json.object("opposite", explanation.opposite) { json, opposite in json.add(opposite) }
      json.object("wear", wear) { json, wear in
        json.add("state", wear.wear.name)
        json.add("reason", wear.reason?.name)
        json.add("worn_minutes", wear.reason?.wornMinutes)
        json.add("steps", wear.reason?.steps)
        json.add("usual_steps", wear.reason?.usualSteps)
      }
      addObservations(to: &json)
    }
    return json.text
  }

  private func addDecision(to json: inout JSONText) {
    let metric = explanation.metric
    json.add("person", person.name)
    json.add("user_id", person.id.lowercased)
    json.add("metric_type", metric.metric.rawValue)
    json.add("pattern_type", metric.pattern.rawValue)
    json.add("date", explanation.day)
    json.add("thresholds_version", profile.version)
    json.add("thresholds_digest", profile.digest)
    json.add("sensitivity", sensitivity.rawValue)
    json.add("detector", metric.detector.rawValue)
    json.add("unit", metric.unit)
    json.add("value", explanation.value)
    json.add("is_suppressed", explanation.isSuppressed)
    json.add("is_alert", explanation.isActive)
    json.add("change", explanation.change.name)
    json.add("previous_level", explanation.before?.level.rawValue)
    json.add("resolution_reason", explanation.after?.resolution?.reason.rawValue)
    json.add("unknown_reason", explanation.judgement.unknownReason)
    json.add("usual_low", explanation.usualRange?.lowerBound)
    json.add("usual_high", explanation.usualRange?.upperBound)
  }

  private func addJudgement(to json: inout JSONText) {
    var (means, evidence, recovery): (MeansJudgement?, EvidenceDay.Figures?, EvidenceRecovery?)
    var (doses, doseRecovery): (DoseDay.Figures?, DoseRecovery?)
    switch explanation.judgement {
    case .means(let found): means = found.evaluation.figures == nil ? nil : found
    case .evidence(let day): evidence = day.figures
    case .recovery(let day): recovery = day
    case .doses(let day): doses = day.figures
    case .doseRecovery(let day): doseRecovery = day
    }
    json.object("means", means) { json, means in json.add(means) }
    json.object("evidence", evidence) { json, figures in json.add(figures) }
    json.object("recovery", recovery) { json, day in json.add(day) }
    json.object("doses", doses) { json, figures in json.add(figures) }
    json.object("dose_recovery", doseRecovery) { json, day in json.add(day) }
  }

  private func addObservations(to json: inout JSONText) {
    let rows = observed.filter { $0.day <= explanation.day }.flatMap { day in
      day.rows.map { (day: day.day, row: $0) }
    }
    json.array("observations", rows) { json, observation in
      json.add("date", observation.day)
      json.add("source", observation.row.source)
      json.add("value", observation.row.value)
      json.add("rejected", observation.row.rejected?.rawValue)
    }
  }
}

extension JSONText {
  fileprivate mutating func add(_ name: String, _ window: EpisodeFigures.Window) {
    object(name) { json in
      json.add("value", window.value)
      json.add("start", window.start)
      json.add("end", window.end)
      json.add("days", window.count)
    }
  }

  fileprivate mutating func add(_ anchor: EvidenceAnchor) {
    add("mean", anchor.mean)
    // Sunday first.
    array("weekdays", (0..<7).map { anchor.weekdays[$0] })
    add("spread", anchor.spread)
    add("autocorrelation", anchor.autocorrelation)
    add("noise", anchor.noise)
  }

  fileprivate mutating func add(_ episode: Episode) {
    add("active_since", episode.activeSince)
    add("last_evaluated_date", episode.lastEvaluated)
    add("consecutive_true_days", episode.duration)
    add("current_level", episode.level.rawValue)
    add("baseline", episode.figures.baseline)
    add("recent", episode.figures.recent)
    add("deviation_fraction", episode.figures.deviation)
    object("evidence", episode.evidence) { json, evidence in
      json.add("opened_on", evidence.openedOn)
      json.add("window_days", evidence.windowDays)
      json.add("z", evidence.z)
      json.add("threshold", evidence.threshold)
      json.add("shift_spreads", evidence.shift)
      json.object("anchor") { $0.add(evidence.anchor) }
    }
    object("doses", episode.doses) { json, doses in json.add(doses) }
    add("resolved_on", episode.resolution?.day)
    add("resolution_reason", episode.resolution?.reason.rawValue)
  }

  fileprivate mutating func add(_ means: MeansJudgement) {
    guard let figures = means.evaluation.figures else { return }
    add("baseline", figures.baseline)
    add("recent", figures.recent)
    add("deviation_fraction", figures.deviation)
    add("is_anchored", means.isAnchored)
    add("is_clean", means.evaluation.isClean)
    array("rules", means.rules) { json, rule in
      json.add("rule", rule.rule.kind.rawValue)
      json.add("threshold", rule.rule.threshold)
      json.add("actual", rule.actual)
      json.add("margin", rule.margin)
      json.add("is_matched", rule.isMatched)
    }
  }

  fileprivate mutating func add(_ figures: EvidenceDay.Figures) {
    add("baseline", figures.baseline)
    add(figures.anchor)
    add("threshold", figures.threshold)
    array("windows", figures.windows.enumerated()) { json, window in
      let (index, window) = window
      json.add("days", window.count)
      json.add("start", window.start)
      json.add("mean", window.recent)
      json.add("z", window.z)
      json.add("shift_spreads", window.shift)
      json.add("is_held", window.isHeld)
      json.add("matters", window.matters)
      json.add("is_deciding", index == figures.deviating)
    }
  }

  fileprivate mutating func add(_ day: EvidenceRecovery) {
    add("shift_spreads", day.shift)
    add("evidence", day.evidence)
    add("calm_days", day.calmDays)
    add("is_easing", day.isEasing)
    add("is_over", day.isOver)
  }

  // MARK: Doses

  private mutating func add(_ usual: DoseAnchor) {
    object("usual") { json in
      json.add("missed_doses", usual.missed)
      json.add("expected_doses", usual.expected)
      json.add("share", usual.share)
      // Sunday first.
      json.array("weekdays", (0..<7).map { usual.weekdays[$0] })
      json.add("within_day", usual.withinDay)
      json.add("run", usual.run)
      json.add("counted_doses", usual.countedDoses)
    }
  }

  fileprivate mutating func add(_ figures: DoseDay.Figures) {
    add("baseline_start", figures.baseline.start)
    add("baseline_end", figures.baseline.end)
    add("baseline_days", figures.baseline.count)
    add(figures.anchor)
    add("threshold", figures.threshold)
    array("windows", figures.windows.enumerated()) { json, window in
      let (index, window) = window
      json.add("days", window.count)
      json.add("start", window.start)
      json.add("missed_doses", window.missed)
      json.add("expected_doses", window.expected)
      json.add("usual_share", window.usualShare)
      json.add("evidence", window.evidence)
      json.add("matters", window.matters)
      json.add("is_deciding", index == figures.deciding)
    }
  }

  fileprivate mutating func add(_ day: DoseRecovery) {
    add("evidence", day.evidence)
    add("calm_days", day.calmDays)
    add("is_easing", day.isEasing)
    add("is_over", day.isOver)
  }

  fileprivate mutating func add(_ doses: DoseEvidence) {
    add("opened_on", doses.openedOn)
    add("window_days", doses.windowDays)
    add("missed_doses", doses.missed)
    add("expected_doses", doses.expected)
    add("recorded_on", doses.recordedOn)
    add("evidence", doses.evidence)
    add("threshold", doses.threshold)
    add("held_level", doses.heldLevel)
    add(doses.anchor)
  }

  fileprivate mutating func add(_ wait: EpisodeCourse.Wait?) {
    var (name, since, seen, needed): (String?, Day?, Int?, Int?)
    switch wait {
    case .clean(let days, let all): (name, seen, needed) = ("clean_days", days, all)
    case .noData(let day): (name, since) = ("data", day)
    case .gaps(let day): (name, since) = ("days_without_gaps", day)
    case .workouts(let day): (name, since) = ("days_without_workouts", day)
    case nil: break
    }
    add("waits_for", name)
    add("waits_since", since)
    add("clean_days", seen)
    add("clean_days_needed", needed)
  }

  fileprivate mutating func add(_ opposite: Opposite) {
    var (days, value): (Int?, Double?)
    let condition: String
    switch opposite {
    case .valueAtMost(let limit): (condition, value) = ("value_at_most", limit)
    case .valueAtLeast(let limit): (condition, value) = ("value_at_least", limit)
    case .noWorkout: condition = "no_workout"
    case .daysWithValue(let count): (condition, days) = ("days_with_value", count)
    case .daysLikeRecent(let count, let mean):
      (condition, days, value) = ("days_like_recent", count, mean)
    case .usualDays(let count): (condition, days) = ("usual_days", count)
    case .daysTaken(let count): (condition, days) = ("days_taken", count)
    case .daysMissed(let count): (condition, days) = ("days_missed", count)
    }
    add("condition", condition)
    add("days", days)
    add("value", value)
  }
}
