/// The number of persons that are evaluated at a time.
public enum BlockSize {
  /// Values that a block holds at most, 4 MiB of them: more do not fit into the caches.
  public static let mostValues = 512 * 1024

  /// Rows of doses take more memory than values of metrics, and each evaluated day has rows of its own.
  private static let mostPersonsWithDoses = 512
  private static let valuesPerEvaluatedDay = 64

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
