/// Many numbers at once, each halved towards the place where a count that falls with it meets its target.
///
/// Numbers are whole: hundredths of a threshold, for one.
package struct CountMatching {
  /// By number, the largest that is known to count too many, and the least that is not.
  private var low: [Int]
  private var high: [Int]
  private let targets: [Int]

  /// - Parameters:
  ///   - targets: The counts to reach.
  ///   - bounds: The numbers to choose from.
  package init(targets: [Int], within bounds: ClosedRange<Int>) {
    self.targets = targets
    low = targets.map { _ in bounds.lowerBound - 1 }
    high = targets.map { _ in bounds.upperBound }
  }

  package var isDone: Bool { zip(low, high).allSatisfy { $1 - $0 <= 1 } }

  /// The numbers to count with next; in the end the least that count no more than the targets.
  package var values: [Int] { zip(low, high).map { $1 - $0 <= 1 ? $1 : ($0 + $1) / 2 } }

  /// Takes the counts of `values`.
  package mutating func take(_ counts: [Int]) {
    for (index, value) in values.enumerated() where high[index] - low[index] > 1 {
      if counts[index] > targets[index] { low[index] = value } else { high[index] = value }
    }
  }
}
