/// A change of level that is put into the series of a simulated person.
///
/// ```swift
/// let change = PlantedChange(metrics: [0, 3], onset: 200, length: 30, size: 1.5, shape: .ramp(days: 10))
/// print(change.shift(on: 199), change.shift(on: 204), change.shift(on: 215))  // 0.0 0.75 1.5
/// print(change.last, change.shift(on: 230))  // 229 0.0
/// let later = PlantedChange(metrics: [0, 3], onset: 200, length: 30, size: 1.5, lags: [3: 2])
/// print(later.last, later.shift(of: 0, on: 200), later.shift(of: 3, on: 201))  // 231 1.5 0.0
/// ```
public struct PlantedChange: Hashable, Sendable {
  /// The indexes of the metrics that change.
  public var metrics: Set<Int>
  /// The index of the first changed day.
  public var onset: Int
  /// In days.
  public var length: Int
  /// In personal spreads of `y`, in the metric's bad direction.
  public var size: Double
  public var shape: Shape
  /// By metric, the days by which it begins and ends to change later than `onset` says; 0 where none is given.
  public var lags: [Int: Int]

  public enum Shape: Hashable, Sendable {
    /// All of it from the first day.
    case step
    /// Rises evenly and is complete on the last of these days.
    case ramp(days: Int)
  }

  public init(
    metrics: Set<Int>, onset: Int, length: Int, size: Double, shape: Shape = .step,
    lags: [Int: Int] = [:]
  ) {
    self.metrics = metrics
    self.onset = onset
    self.length = length
    self.size = size
    self.shape = shape
    self.lags = lags
  }

  /// The index of the last day on which a metric is changed.
  public var last: Int { onset + length - 1 + (lags.values.max() ?? 0) }

  /// Returns the shift of a metric on a day, in personal spreads.
  public func shift(of metric: Int, on day: Int) -> Double {
    metrics.contains(metric) ? shift(on: day - (lags[metric] ?? 0)) : 0
  }

  /// Returns the shift of a metric without a lag on a day, in personal spreads.
  public func shift(on day: Int) -> Double {
    guard day >= onset, day < onset + length else { return 0 }
    switch shape {
    case .step: return size
    case .ramp(let days): return size * min(1, Double(day - onset + 1) / Double(max(days, 1)))
    }
  }
}
