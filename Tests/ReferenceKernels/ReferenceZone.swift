public import VigilModel

/// A time zone as a list of offsets, one for each half hour of some years.
public struct ReferenceZone: Sendable {
  private let first: Int
  private let offsets: [Int32]

  /// - Parameters:
  ///   - zone: One whose clocks change at a full or half hour UTC.
  ///   - seconds: Since 1970; what is asked for must lie within.
  public init(_ zone: ZoneRules, seconds: Range<Int>) {
    first = seconds.lowerBound / 1800
    offsets = (first...seconds.upperBound / 1800).map { cell in
      Int32(zone.local(Int64(cell) * 1_800_000_000) / 1_000_000 - Int64(cell) * 1800)
    }
  }

  /// The local time, in seconds since 1970-01-01 00:00 of local time.
  public func local(_ second: Int) -> Int {
    second + Int(offsets[second / 1800 - first])
  }
}
