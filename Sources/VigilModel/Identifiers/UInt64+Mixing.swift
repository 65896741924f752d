extension UInt64 {
  /// Both halves of a product, one over the other.
  @inlinable
  public func folded(by factor: UInt64) -> UInt64 {
    let (high, low) = multipliedFullWidth(by: factor)
    return high ^ low
  }

  /// The step from one state of SplitMix64 to the next.
  @inlinable
  public static var splitMixIncrement: UInt64 { 0x9E37_79B9_7F4A_7C15 }

  /// The finalizer of SplitMix64 (Steele, Lea and Flood, Fast splittable pseudorandom number generators,
  /// 2014): close words come out far apart, and no two words the same.
  @inlinable
  public var scattered: UInt64 {
    var word = self
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
