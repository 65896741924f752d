extension FixedWidthInteger {
  /// The whole part of a number, or the nearest integer where this type has none for it; 0 for NaN.
  ///
  /// For numbers that come from a table, a file, a setting or an answer: `Int(_:)` of a floating-point
  /// number that is too large, infinite or none stops the process.
  ///
  /// ```swift
  /// print(UInt8(clamping: 99.9))  // 99
  /// print(Int8(clamping: 3.4e38))  // 127
  /// print(Int8(clamping: -Double.infinity))  // -128
  /// ```
  public init(clamping number: Double) {
    if number.isNaN {
      self = 0
    } else {
      self = Self(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
    }
  }

  /// The sum, or the nearest integer of this type.
  ///
  /// ```swift
  /// print(Int8(100).addingClamped(100))  // 127
  /// ```
  public func addingClamped(_ other: Self) -> Self {
    let (sum, isOutside) = addingReportingOverflow(other)
    return isOutside ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, or the nearest integer of this type.
  public func subtractingClamped(_ other: Self) -> Self {
    let (difference, isOutside) = subtractingReportingOverflow(other)
    return isOutside ? (other < 0 ? .max : .min) : difference
  }

  /// The product, or the nearest integer of this type.
  ///
  /// ```swift
  /// print(Int8(100).multipliedClamped(by: -2))  // -128
  /// ```
  public func multipliedClamped(by other: Self) -> Self {
    let (product, isOutside) = multipliedReportingOverflow(by: other)
    return isOutside ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}
