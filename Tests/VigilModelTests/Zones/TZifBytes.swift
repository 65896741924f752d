/// A compiled zone file to be written out, well-formed or not.
struct TZifBytes {
  var version: UInt8 = UInt8(ascii: "2")
  var times: [Int64] = []
  var types: [UInt8] = []
  var localTypes: [(offset: Int32, isDaylight: UInt8, name: UInt8)] = [(0, 0, 0)]
  var characters = "UTC\0"
  var leapSeconds: [(second: Int64, correction: Int32)] = []
  /// Nil for those of `localTypes`.
  var flagCount: Int?
  var footer = "UTC0"

  var bytes: [UInt8] {
    if version == 0 { return block(timeSize: 4) }
    var empty = TZifBytes(version: version)
    empty.characters = "\0"
    return empty.block(timeSize: 4) + block(timeSize: 8) + Array("\n\(footer)\n".utf8)
  }

  private func block(timeSize: Int) -> [UInt8] {
    let flags = flagCount ?? localTypes.count
    var bytes = Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
    let counts = [
      flags, flags, leapSeconds.count, times.count, localTypes.count, characters.utf8.count,
    ]
    for count in counts { bytes += big(Int64(count), 4) }
    for time in times { bytes += big(time, timeSize) }
    bytes += types
    for type in localTypes { bytes += big(Int64(type.offset), 4) + [type.isDaylight, type.name] }
    bytes += characters.utf8
    for leap in leapSeconds {
      bytes += big(leap.second, timeSize) + big(Int64(leap.correction), 4)
    }
    return bytes + [UInt8](repeating: 0, count: 2 * flags)
  }

  /// The lowest `count` bytes of a number, the highest of them first.
  private func big(_ value: Int64, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * Int64($0))) }
  }

  /// Honolulu since 1896 (RFC 9636 appendix B.2).
  static func honolulu(version: UInt8) -> TZifBytes {
    TZifBytes(
      version: version,
      times: [
        -2_334_101_314, -1_157_283_000, -1_155_436_200, -880_198_200, -769_395_600, -765_376_200,
        -712_150_200,
      ].filter { version != 0 || $0 >= Int64(Int32.min) },
      types: version == 0 ? [2, 1, 3, 4, 1, 5] : [1, 2, 1, 3, 4, 1, 5],
      localTypes: [
        (-37_886, 0, 0), (-37_800, 0, 4), (-34_200, 1, 8), (-34_200, 1, 12), (-34_200, 1, 16),
        (-36_000, 0, 4),
      ],
      characters: "LMT\0HST\0HDT\0HWT\0HPT\0", footer: "HST10")
  }
}
