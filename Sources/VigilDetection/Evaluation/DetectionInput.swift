import VigilModel

/// The series that a fold goes through: those of a block, and for each person daily adherence after them.
///
/// They stay where they were computed; nothing is copied into one block.
struct DetectionInput {
  let block: ObservationBlock
  let metricCount: Int
  /// The index of the first day of `block` in each series of `adherence`.
  private let adherenceStart: Int
  private let adherence: ObservationBlock?

  /// - Parameter adherence: One series for each person of `block`, on days that include the block's.
  init(_ block: ObservationBlock, adherence: ObservationBlock?) {
    self.block = block
    self.adherence = adherence
    metricCount = block.metricCount + (adherence == nil ? 0 : 1)
    adherenceStart = adherence.map { block.days.lowerBound - $0.days.lowerBound } ?? 0
    if let adherence {
      precondition(adherence.metricCount == 1 && adherence.personCount == block.personCount)
      precondition(
        adherenceStart >= 0 && adherence.days.upperBound >= block.days.upperBound)
    }
  }

  var dayCount: Int { block.dayCount }
  var seriesCount: Int { block.personCount * metricCount }

  /// One value a day of `block`, NaN where missing.
  @inline(__always)
  func values(person: Int, metric: Int) -> UnsafeBufferPointer<Double> {
    guard metric >= block.metricCount, let adherence else {
      return UnsafeBufferPointer(block.series(person: person, metric: metric))
    }
    let series = adherence.series(person: person, metric: 0)
    return UnsafeBufferPointer(rebasing: series[adherenceStart..<adherenceStart + dayCount])
  }
}
