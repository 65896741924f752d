import VigilModel

/// The series that a fold goes through: those of a block, and for each person daily adherence after them.
///
/// They stay where they were computed; nothing is copied into one block.
struct DetectionInput {
  let block: ObservationBlock
  let metricCount: Int
  private let adherence: ObservationBlock?
  /// The index of the first day of `block` in each series of `adherence`.
  private let adherenceStart: Int
  private let doses: DoseBlock?
  /// The same of `doses`.
  private let dosesStart: Int
  private let unrecorded: UnrecordedDays

  /// - Parameters:
  ///   - block: The metrics.
  ///   - adherence: One series for each person of `block`, on days that include the block's.
  ///   - doses: The doses of the same persons, on days that include the block's.
  ///   - unrecorded: Days on which doses without a record are no misses.
  init(
    _ block: ObservationBlock, adherence: ObservationBlock?, doses: DoseBlock?,
    unrecorded: UnrecordedDays
  ) {
    func start(_ days: ClosedRange<Day>?) -> Int {
      guard let days else { return 0 }
      precondition(
        days.lowerBound <= block.days.lowerBound && days.upperBound >= block.days.upperBound)
      return block.days.lowerBound - days.lowerBound
    }
    self.block = block
    self.adherence = adherence
    self.doses = doses
    self.unrecorded = unrecorded
    metricCount = block.metricCount + (adherence == nil && doses == nil ? 0 : 1)
    adherenceStart = start(adherence?.days)
    dosesStart = start(doses?.days)
    precondition(
      adherence.map { $0.metricCount == 1 && $0.personCount == block.personCount } ?? true)
    precondition(doses.map { $0.personCount == block.personCount } ?? true)
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

  /// The doses of a person on the days of `block`.
  func doses(ofPerson person: Int) -> DoseSeries {
    guard let doses else { preconditionFailure("The detector of doses needs the doses.") }
    let days = doses.days(ofPerson: person)
    return DoseSeries(
      UnsafeBufferPointer(rebasing: days[dosesStart..<dosesStart + dayCount]),
      from: block.days.lowerBound, withoutRecord: unrecorded[person])
  }
}
