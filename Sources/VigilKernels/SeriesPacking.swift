/// Compacting a series to its observations, so that windows count observations and not days.
public enum SeriesPacking {
  /// What `pack` found.
  public struct Result: Equatable, Sendable {
    /// Observations in the series.
    public var count: Int
    /// Index of the day of the first observation; 0 where there is none.
    public var firstDay: Int
    /// Whether the observations stand on consecutive days.
    public var isContiguous: Bool

    public init(count: Int, firstDay: Int, isContiguous: Bool) {
      self.count = count
      self.firstDay = firstDay
      self.isContiguous = isContiguous
    }
  }

  /// Copies the values that are not NaN to the front of `target`, and their day indices to `days`.
  ///
  /// The rest of `target` becomes zero. `days` is left alone where the observations are contiguous:
  /// then observation `i` stands on day `firstDay + i`.
  ///
  /// - Parameters:
  ///   - series: One value a day, NaN where missing.
  ///   - target: At least as long as `series`.
  ///   - days: At least as long as `series`.
  /// - Complexity: O(days).
  public static func pack(
    _ series: UnsafeBufferPointer<Double>, into target: UnsafeMutablePointer<Double>,
    days: UnsafeMutablePointer<Int32>
  ) -> Result {
    let length = series.count
    var first = 0
    while first < length, series[first].isNaN { first += 1 }
    var end = length
    while end > first, series[end - 1].isNaN { end -= 1 }
    let span = end - first
    guard span > 0, let base = series.baseAddress else {
      target.update(repeating: 0, count: length)
      return Result(count: 0, firstDay: 0, isContiguous: true)
    }
    var missing = 0
    for day in first..<end { missing &+= base[day] == base[day] ? 0 : 1 }
    if missing == 0 {
      target.update(from: base + first, count: span)
      (target + span).update(repeating: 0, count: length - span)
      return Result(count: span, firstDay: first, isContiguous: true)
    }
    var count = 0
    for day in first..<end {
      let value = base[day]
      target[count] = value
      days[count] = Int32(truncatingIfNeeded: day)
      count &+= value == value ? 1 : 0
    }
    (target + count).update(repeating: 0, count: length - count)
    return Result(count: count, firstDay: first, isContiguous: false)
  }
}
