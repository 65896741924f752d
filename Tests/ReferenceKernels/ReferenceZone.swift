public import Foundation

/// A time zone as a list of offsets, one for each half hour of some years, as Foundation has them.
public struct ReferenceZone: Sendable {
  private let first: Int
  private let offsets: [Int32]

  /// - Parameters:
  ///   - zone: One whose clocks change at a full or half hour UTC.
  ///   - seconds: Since 1970; what is asked for must lie within.
  public init(_ zone: TimeZone, seconds: Range<Int>) {
    first = seconds.lowerBound / 1800
    offsets = (first...seconds.upperBound / 1800).map { cell in
      Int32(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(cell * 1800))))
    }
  }

  /// What a wall clock shows, in seconds since 1970-01-01 00:00 on it.
  public func local(_ second: Int) -> Int {
    second + Int(offsets[second / 1800 - first])
  }
}
