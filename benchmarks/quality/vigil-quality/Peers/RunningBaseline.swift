import VigilLaboratory

/// The mean and the standard deviation of a person's earlier observations, the newest left out.
///
/// The charts EWMA and CUSUM are made for known parameters; this is what they have in practice.
struct RunningBaseline {
  private static let capacity = 60
  private static let guardCount = 7
  private static let fewest = 14

  /// A ring of the observations in the baseline and of those kept out of it.
  private var ring = [Double](repeating: 0, count: 67)
  private var count = 0
  /// Sums over the baseline of the differences from the first observation, which loses no digits.
  private var (sum, squares) = (0.0, 0.0)
  private var origin = 0.0

  /// Returns how far `y` lies from the baseline, in its standard deviations; nil while there are too few days.
  mutating func deviation(of y: Double, leastSpread: Double) -> Double? {
    if count == 0 { origin = y }
    let size = min(count - Self.guardCount, Self.capacity)
    defer { append(y - origin) }
    guard size >= Self.fewest else { return nil }
    let mean = sum / Double(size)
    let variance = max(squares - sum * mean, 0) / Double(size - 1)
    return (y - origin - mean) / max(variance.squareRoot(), leastSpread)
  }

  /// The new observation pushes the oldest of the guard into the baseline, and that of the baseline out.
  private mutating func append(_ difference: Double) {
    let place = count % ring.count
    if count >= ring.count {
      sum -= ring[place]
      squares -= ring[place] * ring[place]
    }
    ring[place] = difference
    count += 1
    if count > Self.guardCount {
      let joining = ring[(count - 1 - Self.guardCount) % ring.count]
      sum += joining
      squares += joining * joining
    }
  }
}
