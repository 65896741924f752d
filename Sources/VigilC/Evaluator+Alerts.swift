import CVigil
import VigilAnalysis
import VigilModel

extension Evaluator {
  func setKeepsAlerts(_ keeps: Bool) throws(Failure) {
    try requireNoRows("the wanted tables")
    keptAlerts = keeps ? KeptAlerts() : nil
  }

  func pushLabels(_ batch: RecordBatch) throws(Failure) {
    var kept = try requireKeptAlerts()
    try kept.addLabels(batch)
    keptAlerts = kept
  }

  /// The alerts so far beside the labels.
  func takeEvaluation() throws(Failure) -> ArrowArrayStream {
    let kept = try requireKeptAlerts()
    guard let days else { throw .order("there are no evaluated days yet; call vigil_finish first") }
    var table = EvaluationTable(
      kept.evaluation(over: days), personDays: kept.judged?.personDays ?? 0)
    return table.take()
  }

  /// The alerts so far, the evaluated days and the names of persons.
  func comparedAlerts() throws(Failure) -> (
    episodes: [ComparedEpisode], days: ClosedRange<Day>, names: [UUID: String]
  ) {
    let kept = try requireKeptAlerts()
    guard let days else { throw .order("there are no evaluated days yet; call vigil_finish first") }
    return (kept.compared(over: days), days, kept.names)
  }

  private func requireKeptAlerts() throws(Failure) -> KeptAlerts {
    guard let keptAlerts else {
      throw .order("alerts were not kept; call vigil_set_keeps_alerts before the first rows")
    }
    return keptAlerts
  }
}
