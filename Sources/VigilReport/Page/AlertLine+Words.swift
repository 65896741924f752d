import VigilCharts
import VigilModel
import VigilWords

/// The sentences of a line.
extension AlertLine {
  /// The value of now, the usual one, since when, and the state.
  ///
  /// An example: `Steps: 4,976 steps a day in the last 14 days, usually 9,974; lower since 24 May (28 days). Not back yet.`
  ///
  /// - Parameter medication: The name of the medication that the alert is about; empty for others.
  func sentence(_ words: PageWords, medication: String = "") -> String {
    [fact(words, medication), counting(words), stateText(words)].compactMap(\.self)
      .joined(separator: " ")
  }

  /// Why days count whose values are usual again; nil where there are none.
  private func counting(_ words: PageWords) -> String? {
    guard state.speaksOfNewerDays, let calm, calm.since <= lastDeviating else { return nil }
    let isOne = calm.since == lastDeviating
    return words.text(isOne ? .countedOne : .counted, values(of: calm, words))
  }

  private func values(of calm: Calm, _ words: PageWords) -> [String: any Sendable] {
    ["since": words.date(calm.since, in: day)]
  }

  private func fact(_ words: PageWords, _ medication: String) -> String {
    var values: [String: any Sendable] = [
      "metric": words.words.title(of: metric),
      "since": words.date(alert.episode.activeSince, in: day),
      "until": words.date(lastDeviating, in: day),
      "days": words.days(lastDeviating - alert.episode.activeSince + 1),
    ]
    let isPast = state != .going
    if !medication.isEmpty {
      values["metric"] = "\(medication): \(words.words.name(of: metric))"
      return words.text(isPast ? .untilThen : .since, values)
    }
    if alert.series.pattern == .silence || alert.series.pattern == .medication {
      return words.text(isPast ? .untilThen : .since, values)
    }
    if let evidence = alert.episode.doses { return doses(evidence, words, values) }
    if alert.series.pattern.isOfLimit { return limit(words, values) }
    values["side"] = side(words)
    guard let recent else { return words.text(isPast ? .pastUnknown : .nowUnknown, values) }
    values["recent"] = words.rate(recent.value, of: metric)
    values["usual"] = words.valueBeside(usual, of: metric)
    values["window"] = window(recent.days, words)
    return words.text(isPast ? (isRecentNewer ? .easing : .past) : .now, values)
  }

  /// The metric beside others, with its value where the alert goes on: `sleep (5 h 20 min a night, usually 7 h 19 min)`.
  func short(_ words: PageWords) -> String {
    let name = words.words.name(of: metric)
    guard state == .going, alert.episode.doses == nil, let recent,
      alert.series.pattern != .silence, alert.series.pattern != .medication,
      !alert.series.pattern.isOfLimit
    else { return name }
    return words.text(
      .alsoValue,
      [
        "metric": name, "recent": words.rate(recent.value, of: metric),
        "usual": words.valueBeside(usual, of: metric),
      ])
  }

  private func doses(
    _ evidence: DoseEvidence, _ words: PageWords, _ values: [String: any Sendable]
  ) -> String {
    var values = values
    guard let counts = recentDoses else {
      return words.text(state == .going ? .nowUnknown : .pastUnknown, values)
    }
    if state == .going, evidence.recordedOn == nil, counts.missed == counts.expected {
      return words.text(.noDoses, values)
    }
    let usual = UsualMisses(evidence.anchor)
    values["missed"] = counts.missed
    values["expected"] = counts.expected
    values["usual"] =
      usual.missed == 0
      ? words.text(.usuallyNone)
      : words.text(.usually, ["missed": usual.missed, "expected": usual.expected])
    values["window"] = window(counts.days, words)
    let isNewer = counts.days.lowerBound > lastDeviating
    return words.text(state == .going ? .doses : isNewer ? .dosesEasing : .dosesPast, values)
  }

  /// The last value beyond a limit, and who set the limit.
  private func limit(_ words: PageWords, _ values: [String: any Sendable]) -> String {
    var values = values
    let (value, limit) = (figures.recent, figures.baseline.value)
    values["recent"] = words.value(value.value, of: metric)
    values["day"] = words.date(value.end, in: day)
    values["limit"] = words.value(limit, of: metric)
    if alert.series.pattern == .belowLimit { values["is_below"] = true }
    if lastDeviating == alert.episode.activeSince { values["is_one"] = true }
    if let own = personLimits.first(where: { $0.decided(alert) }) {
      values["by"] = own.setBy
      values["end"] = words.date(own.days.upperBound, in: day)
    }
    return words.text(state == .going ? .limitNow : .limitPast, values)
  }

  private func side(_ words: PageWords) -> String {
    switch change {
    case .lower: words.text(.lower)
    case .higher: words.text(.higher)
    case .below(let limit): words.text(.below, ["limit": words.value(limit, of: metric)])
    case .unclear: words.text(.changed)
    }
  }

  /// The days of a mean in words: up to today, or among those of an alert that does not go on.
  private func window(_ days: ClosedRange<Day>, _ words: PageWords) -> String {
    let count = days.upperBound - days.lowerBound + 1
    if count == 1 { return words.text(.lastDay, ["day": words.date(days.lowerBound, in: day)]) }
    if days.upperBound == day { return words.text(.lastDays, ["count": count]) }
    if days.lowerBound > lastDeviating {
      return words.text(
        .daysBetween,
        [
          "first": words.date(days.lowerBound, in: day),
          "last": words.date(days.upperBound, in: day),
        ])
    }
    return days.lowerBound == alert.episode.activeSince
      ? words.text(.allOfThem) : words.text(.daysOfThem, ["count": count])
  }

  private func stateText(_ words: PageWords) -> String {
    func since(_ sentence: PageWords.Sentence, _ since: Day) -> String {
      words.text(sentence, ["since": words.date(since, in: day)])
    }
    return switch state {
    case .going:
      calm.map { words.text($0.count == 1 ? .goingOne : .goingSome, values(of: $0, words)) }
        ?? words.text(alert.series.pattern == .medication ? .notOver : .going)
    case .easing(let days, let needed) where days > 0:
      words.text(.easingDays, ["days": days, "needed": needed])
    case .noData(let day): since(.noData, day)
    case .gaps(let day): since(.gaps, day)
    case .workouts(let day): since(.workouts, day)
    case .quiet, .easing: words.text(.quiet, ["until": words.date(lastDeviating, in: day)])
    case .over(let end) where end.reason == .recovered: since(.over, end.day)
    case .over(let end):
      words.text(
        .closed,
        ["since": words.date(end.day, in: day), "reason": words.label(end.reason.pageLabel)])
    }
  }

  /// The figures behind the sentence: of the opening, of the day that was furthest from usual, and the newest value.
  func figuresText(_ strip: SeriesStrip, _ words: PageWords) -> String {
    var parts: [String] = []
    func add(_ sentence: PageWords.Sentence, _ value: Double, on day: Day, of count: Int = 1) {
      parts.append(
        words.text(
          sentence,
          [
            "day": words.date(day, in: self.day), "value": words.value(value, of: metric),
            "days": words.days(count), "count": words.count(count),
          ]))
    }
    if let newest = strip.latestValue { add(.lastValue, newest.value, on: newest.day) }
    if let opening = alert.episode.opening, alert.episode.doses == nil {
      let window = figures.recent
      add(
        window.count > 1 ? .opened : .openedOne, alert.episode.limit?.value ?? window.value,
        on: opening.openedOn,
        of: window.count)
    }
    if let worst = alert.episode.combined == nil ? course?.worst : course?.worstByMetric[metric],
      let value = strip.days.contains(worst.day) ? strip.value(on: worst.day) : nil
    {
      add(.furthest, value, on: worst.day)
    }
    let others = alert.metrics.filter { $0 != metric }
    if !others.isEmpty {
      parts.append(words.text(.together, ["metrics": words.words.names(of: others)]))
    }
    return parts.joined(separator: " ")
  }

  /// The arrow of a change that goes on: down, up, or none where it has no direction.
  ///
  /// A value below an absolute limit may be above the usual one.
  var arrow: String {
    guard state == .going, alert.episode.doses == nil else { return "" }
    if alert.series.pattern.isOfLimit {
      return alert.series.pattern == .belowLimit ? "↓" : "↑"
    }
    return switch change {
    case .lower: "↓"
    case .higher: "↑"
    case .below, .unclear: ""
    }
  }

  /// The style of the badge, by its shape: the severity of what goes on, what looks better, what is beyond a limit, and
  /// what is past.
  var badgeStyle: String {
    guard state == .going else { return "past" }
    if alert.series.pattern.isOfLimit { return "limit" }
    return calm == nil ? alert.severity.rawValue : "better"
  }

  /// The days, and the severity while the values still deviate: a level says how long an alert has lasted, not how bad
  /// today is.
  ///
  /// Examples: `28 days · critical`, `21 days · better lately`.
  func badge(_ words: PageWords) -> String {
    words.text(
      .badge,
      [
        "days": words.days(lastDeviating - alert.episode.activeSince + 1),
        "state": words.label(badgeLabel),
      ])
  }

  private var badgeLabel: String {
    switch state {
    case .going where alert.series.pattern.isOfLimit: "beyond_limit"
    case .going: calm == nil ? alert.severity.rawValue : "better_lately"
    case .easing, .quiet: "easing"
    case .noData, .gaps, .workouts: "unclear"
    case .over: "over_reason"
    }
  }
}

extension Episode.Resolution.Reason {
  /// The name of its words among the labels of the page.
  fileprivate var pageLabel: String {
    switch self {
    case .noData: "no_data_reason"
    case .left: "left_reason"
    case .profileChanged: "profile_changed"
    case .limitEnded: "limit_ended"
    case .recovered, .superseded, .rebased, .recalibrated, .retracted: rawValue
    }
  }
}
