import Synchronization
import VigilDetection
import VigilModel
import VigilStorage

/// Adds up batches from several threads.
final class SharedTotals: Sendable {
  private struct State {
    var counts = RunRecord.Counts()
    var rejected: [[DataQuality.Reason: Int]]
    var nonWearDays = 0
  }

  private let metrics: [MetricType]
  private let state: Mutex<State>

  init(_ metrics: [MetricThresholds]) {
    self.metrics = metrics.map(\.metric)
    state = Mutex(State(rejected: Array(repeating: [:], count: metrics.count)))
  }

  /// Persons done so far.
  var persons: Int { state.withLock(\.counts.persons) }

  /// Adds a batch and gives the number of persons done so far.
  func add(_ counts: RunRecord.Counts, _ quality: DataQuality) -> Int {
    state.withLock { state in
      state.counts += counts
      for metric in metrics.indices {
        for reason in DataQuality.Reason.allCases {
          let count = quality.count(metric: metric, reason: reason)
          if count > 0 { state.rejected[metric][reason, default: 0] += count }
        }
      }
      state.nonWearDays += quality.nonWearDays
      return state.counts.persons
    }
  }

  /// Puts what all batches so far came to into the record of their run.
  func put(into record: inout RunRecord) {
    state.withLock { state in
      var quality: [DataQualityCount] = []
      for (metric, reasons) in zip(metrics, state.rejected) {
        for (reason, count) in reasons.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
          quality.append(DataQualityCount(metric: metric, reason: reason.rawValue, count: count))
        }
      }
      if state.nonWearDays > 0 {
        quality.append(
          DataQualityCount(
            metric: nil, reason: DataQuality.Reason.nonWear.rawValue, count: state.nonWearDays))
      }
      record.counts = state.counts
      record.dataQuality = quality
    }
  }
}
