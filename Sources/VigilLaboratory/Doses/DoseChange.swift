/// A change that is put into the doses of a simulated person: on its days another share is missed.
///
/// ```swift
/// let stop = DoseChange(onset: 200, length: 28, missedShare: 1)
/// print(stop.days.contains(227), stop.days.contains(228))  // true false
/// ```
public struct DoseChange: Hashable, Sendable {
  /// The index of the first changed day.
  public var onset: Int
  /// In days.
  public var length: Int
  /// The share of the doses that are missed on these days, each dose for itself.
  public var missedShare: Double

  public init(onset: Int, length: Int, missedShare: Double) {
    self.onset = onset
    self.length = length
    self.missedShare = missedShare
  }

  /// The indexes of the changed days.
  public var days: Range<Int> { onset..<onset + length }
}
