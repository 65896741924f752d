extension SIMD8 where Scalar == Float {
  @inline(__always)
  func least(_ other: Self) -> Self { replacing(with: other, where: other .< self) }

  @inline(__always)
  func most(_ other: Self) -> Self { replacing(with: other, where: other .> self) }

  @inline(__always)
  var magnitudes: Self {
    let bits = unsafeBitCast(self, to: SIMD8<UInt32>.self) & 0x7fff_ffff
    return unsafeBitCast(bits, to: Self.self)
  }

  /// The same with a 0 in the eighth lane.
  @inline(__always)
  var ofWeek: Self {
    let week = SIMD8<UInt32>(.max, .max, .max, .max, .max, .max, .max, 0)
    return unsafeBitCast(unsafeBitCast(self, to: SIMD8<UInt32>.self) & week, to: Self.self)
  }

  /// The sum, added up in halves.
  @inline(__always)
  var total: Float {
    let half = lowHalf + highHalf
    let quarter = half.lowHalf + half.highHalf
    return quarter.x + quarter.y
  }

  @inline(__always)
  var greatest: Float {
    let half = lowHalf.replacing(with: highHalf, where: highHalf .> lowHalf)
    let quarter = half.lowHalf.replacing(with: half.highHalf, where: half.highHalf .> half.lowHalf)
    return Swift.max(quarter.x, quarter.y)
  }
}
