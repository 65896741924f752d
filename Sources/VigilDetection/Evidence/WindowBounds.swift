import VigilModel

/// The bounds of the evidence of the windows of a metric, by gaps.
struct WindowBounds: Sendable {
  /// By window, number of gaps and whether it begins after one.
  private let bounds: [EvidenceBound]

  /// The number of gaps up to which windows have bounds of their own.
  private static let mostGaps = 4

  init(_ settings: EvidenceSettings, mostAutocorrelation: Double) {
    let parts = EvidenceBound.parts(mostAutocorrelation: mostAutocorrelation)
    bounds = settings.windows.flatMap { window in
      (0..<2 * (Self.mostGaps + 1)).map { kind in
        EvidenceBound(
          window: window, gaps: kind / 2, beginsAfterGap: kind & 1 == 1, parts: parts, settings)
      }
    }
  }

  /// - Parameter window: The index of the window.
  @inline(__always)
  func bound(window: Int, gaps: Int, beginsAfterGap: Bool) -> EvidenceBound {
    bounds[
      (window * (Self.mostGaps + 1) + min(gaps, Self.mostGaps)) * 2 + (beginsAfterGap ? 1 : 0)]
  }
}
