import VigilAnalysis
import VigilCharts
import VigilDetection
import VigilModel
import VigilPipeline
import VigilStorage

extension PersonDaysReading {
  /// The place of each metric under evidence on the last day.
  func standings(
    of person: Int, in batch: LoadedBatch, _ daily: ObservationBlock?
  ) -> [MetricType: EvidenceStanding] {
    var standings: [MetricType: EvidenceStanding] = [:]
    let own = batch.own
    for explainer in explainers {
      guard let index = own.metrics.firstIndex(of: explainer.metric) else { continue }
      let stored = own.stored(ofSeries: person * own.profile.seriesPerPerson + index)
        .map(\.episode)
      let series: ExplainedSeries
      if explainer.metric.source == .adherence {
        guard let daily else { continue }
        series = ExplainedSeries(of: person, adherence: daily, stored: stored)
      } else {
        series = ExplainedSeries(of: person, metric: index, in: own.input.block, stored: stored)
      }
      standings[explainer.metric.metric] = explainer.standing(of: series, on: days.upperBound)
    }
    return standings
  }
}
