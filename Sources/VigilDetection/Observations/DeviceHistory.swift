import VigilKernels
import VigilModel

/// The sources of the newest values of each metric of a person, by which a change of device is recognized
/// (specification, evidence.md section 7).
struct DeviceHistory: ~Copyable {
  /// Values of the new device that recognize it.
  private static let after = 3
  /// Values before them that are looked at, and how many of these there must be.
  private static let before = 14
  private static let fewestBefore = 10
  /// A power of two that holds all of them.
  private static let capacity = 32

  private let metricCount: Int
  private let entries: AlignedBuffer<Entry>
  private let series: AlignedBuffer<Series>

  struct Entry: BitwiseCopyable {
    var sources: UInt64
    var day: Int32
  }

  struct Series: BitwiseCopyable {
    /// Values so far.
    var count: Int
    /// Bit i says that the value i before the newest has no source in common with the one before it.
    var changes: UInt8
  }

  init(metricCount: Int) {
    self.metricCount = metricCount
    entries = AlignedBuffer(count: metricCount * Self.capacity)
    series = AlignedBuffer(count: metricCount)
  }

  /// Begins another person.
  func removeAll() {
    series.pointer.update(repeating: Series(count: 0, changes: 0), count: metricCount)
  }

  /// Takes a value; values of a metric come in the order of their days.
  ///
  /// - Parameter sources: One bit for each source of the value.
  /// - Returns: The change of device that the value recognizes.
  func take(_ sources: UInt64, on day: Day, metric: Int) -> DeviceChange? {
    let ring = entries.pointer + metric * Self.capacity
    let count = series.pointer[metric].count
    let previous = ring[(count &- 1) & (Self.capacity - 1)].sources
    let isOther = count > 0 && previous & sources == 0
    let changes = series.pointer[metric].changes << 1 | (isOther ? 1 : 0)
    ring[count & (Self.capacity - 1)] = Entry(sources: sources, day: day.ordinal)
    series.pointer[metric] = Series(count: count + 1, changes: changes)
    guard changes & 1 << (Self.after - 1) != 0 else { return nil }
    return change(endingAt: count, of: ring)
  }

  /// - Parameter newest: The number of the third value of what may be another device.
  private func change(endingAt newest: Int, of ring: UnsafePointer<Entry>) -> DeviceChange? {
    func entry(_ number: Int) -> Entry { ring[number & (Self.capacity - 1)] }
    let first = newest - (Self.after - 1)
    guard first >= Self.fewestBefore else { return nil }
    let sources = (first...newest).reduce(0) { $0 | entry($1).sources }
    var start = Day.calendar.lowerBound
    for age in 1...min(first, Self.before) where entry(first - age).sources & sources != 0 {
      // With enough values after this one, a horizon that begins after it shows a change.
      guard age > Self.fewestBefore else { return nil }
      start = Day(ordinal: entry(first - age).day) + 1
      break
    }
    return DeviceChange(
      recognizedOn: Day(ordinal: entry(newest).day), since: Day(ordinal: entry(first).day),
      horizons: start...Day(ordinal: entry(first - Self.fewestBefore).day))
  }
}
