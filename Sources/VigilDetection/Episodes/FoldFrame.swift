import VigilModel

/// The state of the fold of one series that all detectors share.
struct FoldFrame {
  let machineSettings: EpisodeMachine.Settings
  let window: FoldWindow
  /// The episodes of the series that the database holds, in order of `activeSince`.
  let stored: [Episode]
  /// Index of the series in the result.
  let series: Int
  /// The levels of the active episode.
  var levels = FollowedLevels()

  init(
    _ machineSettings: EpisodeMachine.Settings, over window: FoldWindow, stored: [Episode],
    series: Int
  ) {
    self.machineSettings = machineSettings
    self.window = window
    self.stored = stored
    self.series = series
  }

  /// The place of a day among the loaded ones.
  func index(of day: Day) -> Int { day - window.loaded.lowerBound }

  func date(_ index: Int) -> Day { window.loaded.lowerBound + index }

  /// The last day before the fold.
  var eve: Day { window.folded.lowerBound - 1 }
}
