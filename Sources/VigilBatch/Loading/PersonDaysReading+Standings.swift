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
      let isAdherence = explainer.metric.source == .adherence
      guard let block = isAdherence ? daily : own.input.block else { continue }
      var series = ExplainedSeries(
        firstDay: block.days.lowerBound,
        values: Array(block.series(person: person, metric: isAdherence ? 0 : index)),
        stored: (own.stored[person * own.profile.seriesPerPerson + index] ?? []).map(\.episode))
      if !isAdherence {
        let workouts = own.input.block.workouts(person: person)
        series.workouts = Set(
          own.input.block.days.filter { day in
            workouts?[day - own.input.block.days.lowerBound] == 1
          })
        series.deviceChanges = own.input.block.deviceChanges(person: person, metric: index)
      }
      standings[explainer.metric.metric] = explainer.standing(of: series, on: days.upperBound)
    }
    return standings
  }
}
