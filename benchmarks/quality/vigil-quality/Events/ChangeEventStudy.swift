import VigilAnalysis
import VigilLaboratory

/// The events of people in whom something changes: which changes are found, and when.
///
/// An alert finds a change if it opens while it lasts and names a metric that changes, whether it starts an event
/// or joins one.
struct ChangeEventStudy: Sendable {
  /// The outcome of one person with a change.
  struct Outcome {
    /// In calendar days from the first changed day to the opening, the first day counted as 1; nil for a missed
    /// change.
    var delay: Int?
    /// To the opening of the first such alert that members are notified of: not of one that joins in silence.
    var notifiedDelay: Int?
    /// The number of metrics that the first alert of several together names; 0 without one.
    var named = 0
    /// The number of these that change.
    var namedAndChanged = 0

    init(of change: PlantedChange, alerts: [DetectedEvent.Alert]) {
      let during = alerts.filter { (change.onset...change.last).contains($0.opened) }
      let finding = during.filter { !$0.metrics.isDisjoint(with: change.metrics) }
      func days(to alerts: [DetectedEvent.Alert]) -> Int? {
        alerts.map(\.opened).min().map { $0 - change.onset + 1 }
      }
      delay = days(to: finding)
      notifiedDelay = days(to: finding.filter(\.isNotified))
      let combined = during.filter { $0.metrics.count > 1 }.min { $0.opened < $1.opened }
      named = combined?.metrics.count ?? 0
      namedAndChanged = combined?.metrics.intersection(change.metrics).count ?? 0
    }
  }

  /// One for each person with a change, in calendar days; the first changed day counts as 1.
  let delays: Delays
  /// To the first notification of such an alert: not of one that joins an event in silence.
  let notifiedDelays: Delays
  /// Of the metrics that the first alert of several metrics together names while the change lasts, the share that
  /// changed.
  let namedAndChanged: ExactInterval

  /// - Parameters:
  ///   - corpus: People with a planted change each.
  ///   - detector: The rule under study.
  init(_ corpus: Corpus, detector: some EventDetector) async {
    var outcomes: [Outcome] = []
    for (block, events) in zip(corpus.blocks, await corpus.events(of: detector)) {
      let byPerson = Dictionary(grouping: events, by: \.person)
      for (person, change) in block.changes.enumerated() {
        guard let change else { continue }
        outcomes.append(Outcome(of: change, alerts: (byPerson[person] ?? []).flatMap(\.alerts)))
      }
    }
    delays = Delays(outcomes.map(\.delay))
    notifiedDelays = Delays(outcomes.map(\.notifiedDelay))
    namedAndChanged = .binomial(
      successes: outcomes.reduce(0) { $0 + $1.namedAndChanged },
      of: outcomes.reduce(0) { $0 + $1.named })
  }
}
