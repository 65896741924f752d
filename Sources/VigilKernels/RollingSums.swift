#if !VIGIL_LIBRARY
  import CBLAS
#endif

/// Rolling sums of two windows over many series at once, by adding shifted vectors.
///
/// A tile is one flat vector that holds its series one after the other, each behind `padding` zeros,
/// so that a window which begins before its series adds zeros and one BLAS call serves all series of
/// the tile. A window is put together from windows of half its length, so a value is only ever added:
/// nothing is subtracted, and no rounding error is carried from one window to the next.
///
/// For windows of 3 and 21 observations that is 9 passes over the tile:
/// `3 = 1 + 1 + 1`, `6 = 3 + 3`, `12 = 6 + 6`, `21 = 12 + 6 + 3`.
public struct RollingSums: ~Copyable {
  /// Length of the short window in observations.
  public let shortWindow: Int
  /// Length of the long window in observations.
  public let longWindow: Int
  /// Elements of the tile.
  public let capacity: Int

  private let values: AlignedBuffer<Double>
  private let short: AlignedBuffer<Double>
  private let powers: [Int]
  private let doubled: AlignedBuffer<Double>

  /// - Parameters:
  ///   - shortWindow: At least 1.
  ///   - longWindow: At least 1.
  ///   - capacity: Elements of a tile, padding included.
  public init(shortWindow: Int, longWindow: Int, capacity: Int) {
    precondition(shortWindow >= 1 && longWindow >= 1 && capacity >= 0)
    self.shortWindow = shortWindow
    self.longWindow = longWindow
    self.capacity = capacity
    values = AlignedBuffer(count: capacity)
    short = AlignedBuffer(count: capacity)
    let blocks = longWindow % shortWindow == 0 ? longWindow / shortWindow : longWindow
    powers = sequence(first: 1) { $0 * 2 <= blocks ? $0 * 2 : nil }.dropFirst().map { $0 }
    doubled = AlignedBuffer(count: capacity * max(powers.count, 1))
  }

  /// Zeros that must stand before each series.
  public var padding: Int { Self.padding(shortWindow: shortWindow, longWindow: longWindow) }

  public static func padding(shortWindow: Int, longWindow: Int) -> Int {
    // Eight doubles are a cache line: series begin aligned when the stride is a multiple of it.
    (shortWindow + longWindow + 7) / 8 * 8
  }

  /// The memory of the tile's values, for the caller to fill.
  public var input: UnsafeMutablePointer<Double> { values.pointer }

  /// `shortSums[i]` is the sum of the `shortWindow` elements that end at `i`.
  public var shortSums: UnsafePointer<Double> { UnsafePointer(short.pointer) }

  /// `longSums[i]` is the sum of the `longWindow` elements that end at `i`.
  public var longSums: UnsafePointer<Double> {
    if longWindow == 1 { return UnsafePointer(values.pointer) }
    if powers.isEmpty { return UnsafePointer(short.pointer) }
    return UnsafePointer(doubled.pointer + (powers.count - 1) * capacity)
  }

  /// Sums the first `count` elements of `input`.
  ///
  /// The first `padding` of them must be zeros. Elements before `padding` of the results are
  /// unspecified.
  ///
  /// - Complexity: O(`count` * (`shortWindow` + log `longWindow`)), in BLAS `dcopy` and `daxpy`.
  public func compute(count: Int) {
    precondition(count <= capacity)
    sum(values.pointer, shiftedBy: 0, count: count, into: short.pointer, adding: false)
    for shift in stride(from: 1, to: shortWindow, by: 1) {
      sum(values.pointer, shiftedBy: shift, count: count, into: short.pointer, adding: true)
    }
    if powers.isEmpty { return }
    // Blocks of the long window: short windows where they divide it, single values otherwise.
    let step = longWindow % shortWindow == 0 ? shortWindow : 1
    let first = step == shortWindow ? short.pointer : values.pointer
    var half = UnsafePointer(first)
    for (index, power) in powers.enumerated() {
      let target = doubled.pointer + index * capacity
      sum(half, shiftedBy: 0, count: count, into: target, adding: false)
      sum(half, shiftedBy: step * power / 2, count: count, into: target, adding: true)
      half = UnsafePointer(target)
    }
    // The largest power is the beginning of the long window; smaller ones fill it up.
    let target = doubled.pointer + (powers.count - 1) * capacity
    var covered = powers[powers.count - 1]
    let blocks = longWindow / step
    for index in stride(from: powers.count - 2, through: -1, by: -1) {
      let power = index < 0 ? 1 : powers[index]
      guard blocks - covered >= power else { continue }
      let source = index < 0 ? first : doubled.pointer + index * capacity
      sum(source, shiftedBy: step * covered, count: count, into: target, adding: true)
      covered += power
    }
  }

  /// `target[i] (+)= source[i - shift]` for `shift <= i < count`.
  private func sum(
    _ source: UnsafePointer<Double>, shiftedBy shift: Int, count: Int,
    into target: UnsafeMutablePointer<Double>, adding: Bool
  ) {
    let length = max(0, count - shift)
    #if VIGIL_LIBRARY
      // As `daxpy` with a factor of 1: one rounding for each sum, so that results are the same.
      let target = target + shift
      if adding {
        for index in 0..<length { target[index] += source[index] }
      } else {
        target.update(from: source, count: length)
      }
    #else
      if adding {
        cblas_daxpy(Int32(length), 1, source, 1, target + shift, 1)
      } else {
        cblas_dcopy(Int32(length), source, 1, target + shift, 1)
      }
    #endif
  }
}
