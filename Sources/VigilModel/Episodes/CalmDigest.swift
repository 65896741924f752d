/// A digest of the input that a night has seen of a person, with the series in which it has found nothing.
///
/// ```swift
/// let digest = CalmDigest(input: 17, series: 0b101)
/// print(digest.series & 1 << 2 != 0)  // true
/// ```
public struct CalmDigest: Hashable, Sendable {
  /// A set of series of a person: bit i is the one at place i.
  public typealias SeriesSet = UInt16

  /// A digest of the person and of the input of the folds.
  public var input: UInt64
  /// The series without an episode in the days from which late data may matter.
  public var series: SeriesSet

  public init(input: UInt64, series: SeriesSet) {
    self.input = input
    self.series = series
  }
}
