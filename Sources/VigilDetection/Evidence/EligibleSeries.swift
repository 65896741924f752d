import VigilModel

/// The observations of a series that count for a day, oldest first (specification, evidence.md section 1).
///
/// A view into the memory of an `EvidenceWorkspace`.
struct EligibleSeries {
  /// The values as they were measured.
  let x: UnsafeMutablePointer<Double>
  /// The values on the scale of the metric.
  let y: UnsafeMutablePointer<Double>
  /// Indices of days; 0 is the first loaded one.
  let days: UnsafeMutablePointer<Int32>
  /// 0 is Sunday.
  let weekdays: UnsafeMutablePointer<UInt8>
  var count: Int

  /// The place of the first observation on `day` or later.
  ///
  /// - Complexity: O(log count).
  func place(from day: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if Int(days[middle]) < day { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The same, at a small cost where it is `known` or not far behind it.
  @inline(__always)
  func place(from day: Int, near known: Int) -> Int {
    guard known >= 0, known < count, known == 0 || Int(days[known - 1]) < day else {
      return place(from: day)
    }
    var place = known
    while place < count, Int(days[place]) < day {
      if place - known == 8 { return self.place(from: day) }
      place += 1
    }
    return place
  }

  /// Takes the observations of `range` out.
  mutating func remove(days range: ClosedRange<Int>) {
    let first = place(from: range.lowerBound)
    let end = place(from: range.upperBound + 1)
    let rest = count - end
    x.advanced(by: first).update(from: x + end, count: rest)
    y.advanced(by: first).update(from: y + end, count: rest)
    days.advanced(by: first).update(from: days + end, count: rest)
    weekdays.advanced(by: first).update(from: weekdays + end, count: rest)
    count -= end - first
  }
}
