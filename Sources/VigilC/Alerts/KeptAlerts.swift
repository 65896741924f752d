import CVigil
import VigilAnalysis
import VigilDetection
import VigilModel
import VigilPipeline

/// The alerts of an evaluator for a comparison with labels or another profile.
struct KeptAlerts {
  /// By id, a person as the caller names them.
  private(set) var names: [UUID: String] = [:]
  private(set) var alerts: [(person: UUID, alert: Alert, event: UUID)] = []
  /// Nil before the first block.
  private(set) var judged: JudgedDays?
  private(set) var labels: [LabelledChange] = []

  mutating func add(_ found: [Alert], of person: PersonRows) {
    for (index, alert) in found.enumerated() {
      alerts.append((person.id, alert, found[alert.start ?? index].id))
    }
    if !found.isEmpty { names[person.id] = person.name }
  }

  /// Counts the judged days of the persons of a block.
  mutating func count(
    _ persons: [PersonRows], in block: ObservationBlock, of metrics: [MetricThresholds],
    by thresholds: Thresholds, over days: ClosedRange<Day>
  ) {
    var judged =
      judged ?? JudgedDays(of: metrics, by: thresholds, over: days, labels: labels(of: days))
    judged.add(block, of: persons.map(\.id))
    self.judged = judged
  }

  private func labels(of days: ClosedRange<Day>) -> [LabelledChange] {
    labels.filter { days.contains($0.days.lowerBound) }
  }

  /// Takes a batch of labels or, where it throws, nothing of it.
  mutating func addLabels(_ batch: RecordBatch) throws(Failure) {
    guard judged == nil else {
      throw .order("labels come before the first person is evaluated")
    }
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
    let changes = labels(of: days)
    let countsDoses = changes.contains { $0.metric == .doseAdherence }
    let raised = alerts.filter { _, alert, _ in
      alert.series.isOfMetrics && (countsDoses || alert.metric != .doseAdherence)
    }.map { person, alert, event in
      RaisedAlert(
        person: person, metric: alert.metric, openedOn: alert.episode.openedOn,
        level: alert.episode.level,
        contributing: alert.episode.combined?.contributions.map(\.metric), event: event,
        isOfLimit: alert.pattern.isOfLimit)
    }.filter { days.contains($0.openedOn) }
    return DetectionEvaluation(
      of: raised, against: changes, judged: judged?.isJudged)
  }

  /// The episodes that are active or resolved on one of the days.
  func compared(over days: ClosedRange<Day>) -> [ComparedEpisode] {
    // Only what a profile decides is compared; a medication by itself is a part of its doses together.
    alerts.filter { $0.alert.series.medication == nil }.map { _, alert, event in
      ComparedEpisode(
        alert.episode, of: alert.series, event: event, comparedThrough: days.upperBound)
    }.filter { $0.days.upperBound >= days.lowerBound }
  }
}
