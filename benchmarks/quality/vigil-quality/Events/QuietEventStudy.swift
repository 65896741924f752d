import VigilAnalysis
import VigilLaboratory

/// The events of people in whom nothing changes: every one of them is false.
struct QuietEventStudy: Sendable {
  let people: Int
  let dayCount: Int
  private(set) var events = 0
  /// Events that opened in the first `QuietStudy.earlyDays` days of a person.
  private(set) var earlyEvents = 0
  private(set) var notifications = 0
  /// Alerts of several metrics together, whether they start an event or join one.
  private(set) var combinedAlerts = 0
  /// By person, for the dispersion.
  private(set) var byPerson: [Int] = []

  /// - Parameters:
  ///   - corpus: People without a planted change.
  ///   - detector: The rule under study.
  init(_ corpus: Corpus, detector: some EventDetector) async {
    people = corpus.people
    dayCount = corpus.dayCount
    for (block, found) in zip(corpus.blocks, await corpus.events(of: detector)) {
      var counts = [Int](repeating: 0, count: block.people.count)
      for event in found {
        counts[event.person] += 1
        events += 1
        if event.opened < QuietStudy.earlyDays { earlyEvents += 1 }
        notifications += event.notifications
        combinedAlerts += event.alerts.count { $0.metrics.count > 1 }
      }
      byPerson += counts
    }
  }

  /// Calendar years of all people.
  var years: Double { Double(people * dayCount) / 365 }

  /// Returns false events per person and calendar year.
  func rate(confidence: Double = 0.95) -> ExactInterval {
    .poisson(count: events, exposure: years, confidence: confidence)
  }

  /// False events per person-year in the first days of new people.
  var earlyRate: ExactInterval {
    .poisson(
      count: earlyEvents, exposure: Double(people * min(dayCount, QuietStudy.earlyDays)) / 365)
  }

  /// Notifications per person and calendar year.
  var notificationRate: ExactInterval { .poisson(count: notifications, exposure: years) }

  /// Alerts of several metrics together, per person and calendar year.
  var combinedRate: ExactInterval { .poisson(count: combinedAlerts, exposure: years) }

  /// The variance of the counts of persons over their mean.
  var dispersion: Double { Dispersion.of(byPerson) }
}
