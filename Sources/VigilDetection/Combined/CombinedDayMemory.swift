import VigilKernels

/// Figures of one day, by member and window.
struct CombinedDayMemory: ~Copyable {
  let windows: Int
  /// By member, the observations that count.
  let places: AlignedBuffer<CombinedPlaces>
  /// The place of the first observation on the first day of a window or later; it only moves forward.
  private let starts: AlignedBuffer<Int>
  /// Observations; 0 where the metric does not take part.
  private let counts: AlignedBuffer<Int32>
  /// The most evidence that there can be.
  private let bounds: AlignedBuffer<Double>
  /// By window, the metrics that take part.
  let takingPart: AlignedBuffer<Int>

  init(members: Int, windows: Int) {
    self.windows = windows
    places = AlignedBuffer(count: members)
    starts = AlignedBuffer(count: members * windows)
    counts = AlignedBuffer(count: members * windows)
    bounds = AlignedBuffer(count: members * windows)
    takingPart = AlignedBuffer(count: windows)
  }

  func starts(of member: Int) -> UnsafeMutablePointer<Int> { starts.pointer + member * windows }

  /// Forgets the windows of a series.
  func reset(_ member: Int) {
    starts(of: member).update(repeating: 0, count: windows)
  }

  func counts(of member: Int) -> UnsafeMutablePointer<Int32> { counts.pointer + member * windows }

  func bounds(of member: Int) -> UnsafeMutablePointer<Double> { bounds.pointer + member * windows }
}
