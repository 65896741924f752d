import VigilKernels
import VigilModel

/// The traits of the series of one person that the record of a run counts: a short history, another source.
///
/// See the specification, detection.md section 2.
struct SeriesTraits: ~Copyable {
  // By metric.
  private let horizons: AlignedBuffer<Int>
  private let fewest: [Int]
  private let totals: AlignedBuffer<Totals>

  /// The totals of one metric of the current person so far.
  struct Totals: BitwiseCopyable {
    /// Observations within the horizon of the block's last day.
    var observations = 0
    /// The sources of the last day with a value; 0 before the first.
    var sources: UInt64 = 0
    var hasChangedSource = false
  }

  init(of metrics: [MetricThresholds], _ thresholds: Thresholds) {
    let histories = metrics.map(thresholds.history(of:))
    horizons = AlignedBuffer(count: metrics.count)
    for (metric, history) in histories.enumerated() {
      horizons.pointer[metric] = history.horizonDays
    }
    fewest = histories.map(\.fewest)
    totals = AlignedBuffer(count: metrics.count)
  }

  /// Takes a day with a value.
  ///
  /// - Parameters:
  ///   - sources: One bit for each source that gave one.
  ///   - age: The days up to the last of the block.
  @inline(__always)
  func note(_ metric: Int, _ sources: UInt64, age: Int) {
    let own = totals.pointer + metric
    if age <= horizons.pointer[metric] { own.pointee.observations += 1 }
    if own.pointee.sources != 0, own.pointee.sources & sources == 0 {
      own.pointee.hasChangedSource = true
    }
    own.pointee.sources = sources
  }

  /// Adds the traits that the days of a person have shown.
  func report(_ person: Int, to quality: inout DataQuality) {
    for metric in fewest.indices {
      let own = totals.pointer[metric]
      if own.observations > 0, own.observations < fewest[metric] {
        quality.add(.insufficientHistory, metric: metric, person: person)
      }
      if own.hasChangedSource { quality.add(.sourceChanged, metric: metric, person: person) }
    }
  }

  /// Begins another person.
  func removeAll() {
    for metric in fewest.indices { totals.pointer[metric] = Totals() }
  }
}
