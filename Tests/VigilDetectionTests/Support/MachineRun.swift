import VigilDetection
import VigilModel

/// A series of verdicts in short, and what the state machine makes of it, one character a day.
///
/// Verdicts: `D` deviating, `S` deviating but suppressed, `n` normal, `c` clean, `w` clean on a
/// workout day, `_` unknown, `x` unknown on a workout day.
struct MachineRun {
  /// `O` opened, `+` extended, `R` restarted, `r` recovered, `u` ended without data, `b` rebased,
  /// `d` ended by another device, `.` nothing.
  private(set) var actions = ""
  /// The level at the end of each day: `3`, `7`, `F` fourteen, `T` twenty-one, `-` without episode.
  private(set) var levels = ""
  /// `activeSince` of each episode, as days after the first day.
  private(set) var activeSince: [Int] = []
  /// Duration of the episode at the end of each day, 0 without one.
  private(set) var durations: [Int] = []

  private static let first = Day(ordinal: 20_000)

  /// - Parameter rolling: Verdicts against the rolling baseline, where they differ.
  init(_ verdicts: String, rolling: String? = nil, under thresholds: Thresholds) {
    let verdicts = verdicts.map(Self.verdict)
    let rolling = rolling.map { $0.map(Self.verdict) } ?? verdicts
    var machine = EpisodeMachine(settings: .init(thresholds))
    var runLimit = 0
    for index in verdicts.indices {
      var runStart = index
      while runStart > runLimit, rolling[runStart - 1].contains(.deviating) { runStart -= 1 }
      let action = machine.step(
        Self.first + index, verdict: verdicts[index], rolling: rolling[index],
        runStart: Self.first + runStart)
      if case .resolved = action { runLimit = index + 1 }
      record(action, machine.state)
    }
  }

  private mutating func record(_ action: EpisodeMachine.Action, _ state: EpisodeMachine.State) {
    switch action {
    case .none: actions += "."
    case .opened: actions += "O"
    case .extended: actions += "+"
    case .restarted: actions += "R"
    case .resolved(_, .recovered): actions += "r"
    case .resolved(_, .noData): actions += "u"
    case .resolved(_, .rebased): actions += "b"
    case .resolved(_, .recalibrated): actions += "d"
    case .resolved(_, .superseded), .resolved(_, .retracted), .resolved(_, .profileChanged),
      .resolved(_, .left), .resolved(_, .limitEnded):
      actions += "?"
    }
    switch state {
    case .idle:
      levels += "-"
      durations.append(0)
    case .active(let episode):
      let level =
        switch episode.level {
        case .day3: "3"
        case .day7: "7"
        case .day14: "F"
        case .day21: "T"
        }
      levels += level
      durations.append(episode.duration)
      let since = episode.activeSince - Self.first
      if activeSince.last != since { activeSince.append(since) }
    }
  }

  private static func verdict(_ letter: Character) -> DayVerdict {
    switch letter {
    case "D": return .deviating
    case "S": return [.deviating, .suppressed]
    case "n": return .normal
    case "c": return [.normal, .clean]
    case "w": return [.normal, .clean, .suppressed]
    case "_": return .unknown
    case "x": return .suppressed
    default: preconditionFailure("'\(letter)' is no verdict")
    }
  }
}

extension String {
  /// This many days of the same.
  func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
