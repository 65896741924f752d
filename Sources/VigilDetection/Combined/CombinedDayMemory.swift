import VigilKernels

/// Figures of one day, by member and window.
struct CombinedDayMemory: ~Copyable {
  let windows: Int
  /// By member, the observations that count.
  let places: AlignedBuffer<CombinedPlaces>
  /// Observations; 0 where the metric does not take part.
  private let counts: AlignedBuffer<Int32>
  /// The most evidence that there can be.
  private let bounds: AlignedBuffer<Double>
  /// By window, the metrics that take part.
  let takingPart: AlignedBuffer<Int>

  init(members: Int, windows: Int) {
    self.windows = windows
    places = AlignedBuffer(count: members)
    counts = AlignedBuffer(count: members * windows)
    bounds = AlignedBuffer(count: members * windows)
    takingPart = AlignedBuffer(count: windows)
  }

  func counts(of member: Int) -> UnsafeMutablePointer<Int32> { counts.pointer + member * windows }

  func bounds(of member: Int) -> UnsafeMutablePointer<Double> { bounds.pointer + member * windows }
}
