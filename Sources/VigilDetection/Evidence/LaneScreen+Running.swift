import VigilModel

extension LaneScreen {
  /// Sums by weekday.
  struct Running: BitwiseCopyable {
    var distances = Lanes.zero
    /// Of negative distances.
    var negative = Lanes.zero
    /// Of distances that count at most `reach`, and of their squares.
    var clipped = Lanes.zero
    var squares = Lanes.zero
    /// By how much distances are over `reach`.
    var excess = Lanes.zero
    var counts = Lanes.zero
    /// Squared steps between neighbours, and the squares of both neighbours.
    var steps = Lanes.zero
    var stepSquares = Lanes.zero
  }
}
