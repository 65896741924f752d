public import VigilModel

/// A series of silence of each person, with the settings by which it becomes an episode.
public enum SilenceSeries: Hashable, Sendable {
  case inactivity(InactivitySettings)
  case checkInOverdue(OverdueSettings)

  public var metric: MetricType {
    switch self {
    case .inactivity: .inactivity
    case .checkInOverdue: .checkInOverdue
    }
  }
}
