/// Compacting a series to its observations, so that windows count observations and not days.
public enum SeriesPacking {
  /// The result of `pack`.
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
  /// The rest of `target` becomes zero.
  ///
  /// - Parameters:
  ///   - series: One value a day, finite or, where missing, NaN.
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
    var count = 0
    var day = first
    while day + 8 <= end {
      let low = UnsafeRawPointer(base + day).loadUnaligned(as: SIMD4<Double>.self)
      let high = UnsafeRawPointer(base + day + 4).loadUnaligned(as: SIMD4<Double>.self)
      // Values are finite or NaN, so their sum is NaN exactly when one of them is.
      let pairs = low + high
      if (pairs[0] + pairs[1] + (pairs[2] + pairs[3])).isNaN {
        count = copyOneByOne(day..<day + 8, of: base, to: target, days, from: count)
      } else {
        let values = UnsafeMutableRawPointer(target + count)
        values.storeBytes(of: low, as: SIMD4<Double>.self)
        values.storeBytes(of: high, toByteOffset: 32, as: SIMD4<Double>.self)
        let indices = UnsafeMutableRawPointer(days + count)
        let start = SIMD4<Int32>(0, 1, 2, 3) &+ Int32(truncatingIfNeeded: day)
        indices.storeBytes(of: start, as: SIMD4<Int32>.self)
        indices.storeBytes(of: start &+ 4, toByteOffset: 16, as: SIMD4<Int32>.self)
        count += 8
      }
      day += 8
    }
    count = copyOneByOne(day..<end, of: base, to: target, days, from: count)
    (target + count).update(repeating: 0, count: length - count)
    return Result(count: count, firstDay: first, isContiguous: count == span)
  }

  /// Appends the values of `range` that are not NaN behind `count` others; returns the new count.
  @inline(__always)
  private static func copyOneByOne(
    _ range: Range<Int>, of series: UnsafePointer<Double>,
    to target: UnsafeMutablePointer<Double>, _ days: UnsafeMutablePointer<Int32>, from count: Int
  ) -> Int {
    var count = count
    for day in range {
      // Written in any case and overwritten by the next: a branch would cost more than a store.
      let value = series[day]
      target[count] = value
      days[count] = Int32(truncatingIfNeeded: day)
      count &+= value == value ? 1 : 0
    }
    return count
  }
}
