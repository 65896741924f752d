import VigilKernels
import VigilModel

/// The working memory for the series of a fold, one after the other.
///
/// One thread uses one instance.
final class EvidenceWorkspace {
  private let dayCount: Int
  private let firstDay: Day
  private let values: AlignedBuffer<Double>
  private let transformed: AlignedBuffer<Double>
  private let days: AlignedBuffer<Int32>
  private let weekdays: AlignedBuffer<UInt8>

  init(days loaded: ClosedRange<Day>) {
    dayCount = loaded.upperBound - loaded.lowerBound + 1
    firstDay = loaded.lowerBound
    values = AlignedBuffer(count: dayCount + 8)
    transformed = AlignedBuffer(count: dayCount + 8)
    days = AlignedBuffer(count: dayCount + 8)
    weekdays = AlignedBuffer(count: dayCount + 8)
  }

  func isFor(_ loaded: ClosedRange<Day>) -> Bool {
    loaded.lowerBound == firstDay && loaded.upperBound - loaded.lowerBound + 1 == dayCount
  }

  /// The observations of a series; overwrites those of the series before.
  ///
  /// - Parameter values: One a loaded day, NaN where missing.
  func load(_ values: UnsafeBufferPointer<Double>, for judge: EvidenceJudge) -> EligibleSeries {
    let packed = SeriesPacking.pack(values, into: self.values.pointer, days: days.pointer)
    let (x, y) = (self.values.pointer, transformed.pointer)
    judge.transform(x, into: y, count: packed.count)
    let weekday = firstDay.weekday
    for place in 0..<packed.count {
      weekdays.pointer[place] = UInt8((weekday + Int(days.pointer[place])) % 7)
    }
    return EligibleSeries(
      x: x, y: y, days: days.pointer, weekdays: weekdays.pointer, count: packed.count)
  }
}
