import VigilModel
import VigilStorage

/// The highest level that members were notified of, in either mode.
struct NotifiedLevels {
  var live: AlertLevel?
  var shadow: AlertLevel?

  init(live: AlertLevel? = nil, shadow: AlertLevel? = nil) {
    self.live = live
    self.shadow = shadow
  }

  init(of row: PatternAlertState) {
    live = row.lastNotifiedLevel
    shadow = row.shadowNotifiedLevel
  }

  subscript(mode: RunRecord.Mode) -> AlertLevel? {
    switch mode {
    case .live: live
    case .shadow: shadow
    }
  }

  /// Levels never fall: a notification cannot be withdrawn.
  mutating func raise(to other: NotifiedLevels) {
    live = .highest(live, other.live)
    shadow = .highest(shadow, other.shadow)
  }

  func apply(to row: inout PatternAlertState) {
    row.lastNotifiedLevel = live
    row.shadowNotifiedLevel = shadow
  }

  mutating func raise(_ mode: RunRecord.Mode, to level: AlertLevel?) {
    switch mode {
    case .live: live = .highest(live, level)
    case .shadow: shadow = .highest(shadow, level)
    }
  }
}
