import VigilStorage

/// The order of a list of runs; of equal ones the newest comes first.
public enum RunOrder: String, CaseIterable, Sendable {
  case newest
  /// Failed, held and interrupted runs first, then those that are running.
  case attention
  /// The longest first; those that are running last.
  case slowest

  /// - Parameter runs: The newest first.
  func sorted(_ runs: [RunRecord]) -> [RunRecord] {
    runs.enumerated().sorted { left, right in
      (key(left.element), left.offset) < (key(right.element), right.offset)
    }.map(\.element)
  }

  private func key(_ run: RunRecord) -> Double {
    switch self {
    case .newest: 0
    case .attention:
      switch run.status {
      case .failed: 0
      case .held: 1
      case .interrupted: 2
      case .running: 3
      case .succeeded: 4
      }
    case .slowest: -(run.seconds ?? -1)
    }
  }
}
