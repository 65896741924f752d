import VigilDetection
import VigilModel

extension [Episode] {
  /// The episodes that had ended when the days that a fold follows began.
  func ended(before window: FoldWindow) -> [Episode] {
    filter { episode in
      episode.resolution.map { $0.day < window.folded.lowerBound && $0.reason != .retracted }
        ?? false
    }
  }
}
