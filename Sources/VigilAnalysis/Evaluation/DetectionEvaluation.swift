public import VigilModel

/// The comparison of alerts with labelled changes.
///
/// ```swift
/// guard let first = Day("2026-05-01") else { return }
/// let anna = UUID(name: "anna")
/// let change = LabelledChange(person: anna, metric: MetricType("steps"), days: first...(first + 9))
/// let alerts = [4, 30].map { day in
///   RaisedAlert(person: anna, metric: MetricType("steps"), openedOn: first + day, level: .day7)
/// }
/// let evaluation = DetectionEvaluation(of: alerts, against: [change])
/// print(evaluation.total.found, evaluation.total.delays.median.estimate)  // 1 5.0
/// print(evaluation.total.others)  // 1
/// ```
///
/// The first alert that opens from the first day of a change to `LabelledChange.grace` days after its last one
/// finds the change. Further alerts of the same change are *repeated*, neither true nor false. All others are
/// false where the labels name every change, and otherwise just without a label. Alerts of limits are none of these:
/// they say what someone has asked for, and not what detection has found.
public struct DetectionEvaluation: Hashable, Sendable {
  public let total: Tally
  /// By metric; a label that names no metric counts in the total only.
  public let metrics: [MetricType: Tally]
  public let events: Events
  /// Alerts of limits, which no other count has.
  public let ofLimits: Int

  /// The counts of events, each of which members are notified of as one.
  public struct Events: Hashable, Sendable {
    public fileprivate(set) var count = 0
    /// Events none of whose alerts a label explains.
    public fileprivate(set) var others = 0

    fileprivate init(_ alerts: [(event: UUID?, isExplained: Bool)]) {
      var isExplained: [UUID: Bool] = [:]
      for alert in alerts {
        if let event = alert.event {
          isExplained[event] = isExplained[event, default: false] || alert.isExplained
        } else {
          count += 1
          others += alert.isExplained ? 0 : 1
        }
      }
      count += isExplained.count
      others += isExplained.values.count { !$0 }
    }
  }

  /// The counts of one metric, or of all together.
  public struct Tally: Hashable, Sendable {
    public fileprivate(set) var alerts = 0
    /// Alerts that found a label.
    public fileprivate(set) var finding = 0
    public fileprivate(set) var repeated = 0
    /// Alerts that no label explains.
    public fileprivate(set) var others = 0
    /// Labels whose alert reached a level, or a higher one.
    public fileprivate(set) var reached: [AlertLevel: Int] = [:]
    /// By label, the delay; labels that could not be judged are not among them.
    fileprivate var delayByLabel: [Int?] = []
    /// Labels of which no day could be judged.
    public fileprivate(set) var unjudged = 0

    /// Days from the first changed day to the opening of the alert, one for each judged label; on the first day 1.
    public var delays: Delays { Delays(delayByLabel) }

    public var labels: Int { judged + unjudged }

    /// Labels that could be found.
    public var judged: Int { delayByLabel.count }

    /// Labels that an alert has found.
    public var found: Int { delayByLabel.count { $0 != nil } }

    /// The share of the judged labels that were found; nil without any.
    public var recall: ExactInterval? { judged > 0 ? delays.share() : nil }

    /// The share of alerts that found a label among those and the ones without a label; nil without either.
    ///
    /// A lower bound where the labels do not name every change.
    public var precision: ExactInterval? {
      finding + others > 0 ? .binomial(successes: finding, of: finding + others) : nil
    }

    /// Alerts in a year of one person.
    ///
    /// - Parameter personDays: Judged days of all persons; nil where it is not positive.
    public func alertsPerPersonYear(personDays: Int) -> ExactInterval? {
      personDays > 0 ? .poisson(count: alerts, exposure: Double(personDays) / 365) : nil
    }
  }

  /// - Parameters:
  ///   - alerts: The alerts.
  ///   - labels: The changes that are known to have happened.
  ///   - isJudged: By label, whether a day of it could be judged; nil where all could. One that an alert has found
  ///     was judged.
  /// - Complexity: O(alerts * labels of a person).
  public init(
    of alerts: [RaisedAlert], against labels: [LabelledChange], judged isJudged: [Bool]? = nil
  ) {
    let ordered = alerts.filter { !$0.isOfLimit }.sorted { left, right in
      (left.openedOn, left.metric.rawValue) < (right.openedOn, right.metric.rawValue)
    }
    var byPerson: [UUID: [Int]] = [:]
    for (index, label) in labels.enumerated() { byPerson[label.person, default: []].append(index) }
    var finders = [RaisedAlert?](repeating: nil, count: labels.count)
    var (total, metrics) = (Tally(), [MetricType: Tally]())
    var events: [(event: UUID?, isExplained: Bool)] = []
    for alert in ordered {
      let explaining = (byPerson[alert.person] ?? []).filter { labels[$0].explains(alert) }
      let new = explaining.filter { finders[$0] == nil }
      for index in new { finders[index] = alert }
      let kind: WritableKeyPath<Tally, Int> =
        explaining.isEmpty ? \.others : new.isEmpty ? \.repeated : \.finding
      events.append((alert.event, !explaining.isEmpty))
      for path in [\Tally.alerts, kind] {
        total[keyPath: path] += 1
        metrics[alert.metric, default: Tally()][keyPath: path] += 1
      }
    }
    for (index, (label, finder)) in zip(labels, finders).enumerated() {
      let isJudged = isJudged?[index] ?? true
      total.add(label, foundBy: finder, isJudged: isJudged)
      if let metric = label.metric {
        metrics[metric, default: Tally()].add(label, foundBy: finder, isJudged: isJudged)
      }
    }
    self.total = total
    self.metrics = metrics
    self.events = Events(events)
    ofLimits = alerts.count(where: \.isOfLimit)
  }
}

extension DetectionEvaluation.Tally {
  fileprivate mutating func add(
    _ label: LabelledChange, foundBy alert: RaisedAlert?, isJudged: Bool
  ) {
    guard isJudged || alert != nil else {
      unjudged += 1
      return
    }
    delayByLabel.append(alert.map { $0.openedOn - label.days.lowerBound + 1 })
    guard let alert else { return }
    for level in AlertLevel.allCases where level <= alert.level { reached[level, default: 0] += 1 }
  }
}
