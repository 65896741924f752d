import VigilDetection
public import VigilModel
import VigilVitality

/// The number of persons that are evaluated at a time.
public enum BlockSize {
  /// Values that a block holds at most, 4 MiB of them: more do not fit into the caches.
  public static let mostValues = 512 * 1024

  /// Rows of doses take more memory than values of metrics, and each evaluated day has rows of its own.
  private static let mostPersonsWithDoses = 512
  private static let valuesPerEvaluatedDay = 64

  /// The most persons of a block that is evaluated under some profiles.
  ///
  /// - Parameters:
  ///   - profiles: The profiles.
  ///   - days: The evaluated days.
  ///   - scored: The days of the metrics that scores are computed from; nil where none are.
  ///   - followsDoses: Whether doses are evaluated, too.
  public static func persons(
    under profiles: [ProfilePlan], evaluating days: ClosedRange<Day>,
    scoredFrom scored: ClosedRange<Day>? = nil, followsDoses: Bool
  ) -> Int {
    func count(_ days: ClosedRange<Day>) -> Int { days.upperBound - days.lowerBound + 1 }
    let detection = profiles.reduce(0) { $0 + count($1.window.loaded) * $1.metrics.count }
    let scores = scored.map { count($0) * VitalityMetric.allCases.count } ?? 0
    return persons(
      values: max(1, detection) + scores, evaluatedDays: count(days), followsDoses: followsDoses)
  }

  /// The most persons of a block.
  ///
  /// - Parameters:
  ///   - values: The values of one person.
  ///   - days: The evaluated days.
  ///   - followsDoses: Whether doses are evaluated, too.
  public static func persons(values: Int, evaluatedDays days: Int, followsDoses: Bool) -> Int {
    let values = max(1, values)
    guard followsDoses else { return min(1024, max(1, mostValues / values)) }
    return min(
      mostPersonsWithDoses, max(1, mostValues / (values + days * valuesPerEvaluatedDay)))
  }
}
