import VigilLaboratory

/// Gives each person a change at a day of their own.
///
/// People are known for at least `knownDays` days before, so that every profile has all the baseline that it
/// uses. The first changed day falls on each weekday alike.
struct ChangePlan: Hashable, Sendable {
  /// In personal spreads.
  var size: Double
  /// In days.
  var length: Int
  var shape: PlantedChange.Shape
  var metrics: Set<Int>
  /// The number of `metrics` that change, chosen at random for each person; nil for all.
  var metricCount: Int?
  /// Each metric begins to change up to this many days later than the person; 0 for all at once.
  var mostLag = 0
  var knownDays = 200
  /// The days after the change, in which episodes may end.
  var daysAfter = 45

  private static let onsets = 28

  init(
    size: Double, length: Int, shape: PlantedChange.Shape = .step, metrics: Set<Int>,
    metricCount: Int? = nil
  ) {
    self.size = size
    self.length = length
    self.shape = shape
    self.metrics = metrics
    self.metricCount = metricCount
  }

  /// The days that a series must have.
  var dayCount: Int { knownDays + Self.onsets + length + mostLag + daysAfter }

  /// Returns the change of a person.
  func change(of person: SimulatedPerson) -> PlantedChange? {
    var chosen = metrics
    var stream = RandomStream(seed: 0, person: person.number, purpose: .change)
    if let metricCount {
      var left = metrics.sorted()
      chosen = []
      while chosen.count < metricCount, !left.isEmpty {
        chosen.insert(left.remove(at: stream.integer(below: left.count)))
      }
    }
    return PlantedChange(
      metrics: chosen, onset: knownDays + person.number % Self.onsets, length: length, size: size,
      shape: shape, lags: lags(of: chosen, person))
  }

  private func lags(of metrics: Set<Int>, _ person: SimulatedPerson) -> [Int: Int] {
    guard mostLag > 0 else { return [:] }
    var stream = RandomStream(seed: 0, person: person.number, purpose: .lags)
    let lags = metrics.sorted().map { ($0, stream.integer(below: mostLag + 1)) }
    // The person's change begins with the first of them.
    let first = lags.map(\.1).min() ?? 0
    return Dictionary(uniqueKeysWithValues: lags.map { ($0, $1 - first) })
  }
}
