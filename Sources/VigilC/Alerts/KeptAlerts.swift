import CVigil
import VigilAnalysis
import VigilDetection
import VigilModel

/// The alerts of an evaluator for a comparison with labels or another profile.
struct KeptAlerts {
  /// By id, a person as the caller names them.
  private(set) var names: [UUID: String] = [:]
  private(set) var alerts: [(person: UUID, alert: Alert)] = []
  /// Persons with rows on one of the evaluated days.
  private(set) var persons = 0
  private(set) var labels: [LabelledChange] = []

  mutating func add(_ found: [Alert], of person: PersonRows) {
    for alert in found { alerts.append((person.id, alert)) }
    if !found.isEmpty { names[person.id] = person.name }
  }

  mutating func count(_ persons: [PersonRows], over days: ClosedRange<Day>) {
    let range = days.lowerBound.ordinal...days.upperBound.ordinal
    self.persons += persons.count { $0.days.contains(where: range.contains) }
  }

  /// Takes a batch of labels or, where it throws, nothing of it.
  mutating func addLabels(_ batch: RecordBatch) throws(Failure) {
    let cells = Cells(batch: batch, table: "labels")
    let names = StagedRows.Names.person
    let persons = try cells.required(names, "who changed", cells.ids(names))
    let (first, last) = (["first_day", "first"], ["last_day", "last"])
    let starts = try cells.required(first, "the first changed day", cells.days(first))
    let ends = try cells.required(last, "the last changed day", cells.days(last))
    let metrics = try cells.texts(["metric_type", "metric"])
    for row in 0..<batch.count where starts[row] > ends[row] {
      throw .data("the last day of row \(row) of the labels is before its first day")
    }
    for row in 0..<batch.count {
      labels.append(
        LabelledChange(
          person: persons[row], metric: metrics[row].map { MetricType($0) },
          days: starts[row]...ends[row]))
    }
  }

  // MARK: Results

  /// The alerts beside the labels, both of the evaluated days.
  func evaluation(over days: ClosedRange<Day>) -> DetectionEvaluation {
    let raised = alerts.filter { $0.alert.pattern != .silence }.map { person, alert in
      RaisedAlert(
        person: person, metric: alert.metric, openedOn: alert.episode.openedOn,
        level: alert.episode.level,
        contributing: alert.episode.combined?.contributions.map(\.metric), event: alert.event)
    }.filter { days.contains($0.openedOn) }
    return DetectionEvaluation(
      of: raised, against: labels.filter { days.contains($0.days.lowerBound) })
  }

  /// The episodes that are active or resolved on one of the days.
  func compared(over days: ClosedRange<Day>) -> [ComparedEpisode] {
    alerts.map { person, alert in
      ComparedEpisode(
        alert.episode, of: SeriesKey(user: person, metric: alert.metric, pattern: alert.pattern),
        event: alert.event, comparedThrough: days.upperBound)
    }.filter { $0.days.upperBound >= days.lowerBound }
  }
}
