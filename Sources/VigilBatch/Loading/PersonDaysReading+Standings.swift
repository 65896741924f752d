import VigilAnalysis
import VigilCharts
import VigilDetection
import VigilModel
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
      guard let block = isAdherence ? daily : own.block else { continue }
      var series = ExplainedSeries(
        firstDay: block.days.lowerBound,
        values: Array(block.series(person: person, metric: isAdherence ? 0 : index)),
        stored: (own.stored[person * own.profile.seriesPerPerson + index] ?? []).map(\.episode))
      if !isAdherence {
        let workouts = own.block.workouts(person: person)
        series.workouts = Set(
          own.block.days.filter { day in
            workouts?[day - own.block.days.lowerBound] == 1
          })
        series.deviceChanges = own.block.deviceChanges(person: person, metric: index)
      }
      standings[explainer.metric.metric] = explainer.standing(of: series, on: days.upperBound)
    }
    return standings
  }
}
