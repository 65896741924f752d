public import VigilModel

extension Episode {
  /// The episode as it stood at the end of a day: without its later end, and with the duration and the level
  /// that it had by then; nil where it had not opened.
  ///
  /// The figures stay those of its last counted day, as earlier ones are not kept.
  public func standing(on day: Day) -> Episode? {
    guard openedOn <= day else { return nil }
    guard lastEvaluated > day || resolution.map({ $0.day > day }) ?? false else { return self }
    var past = self
    past.lastEvaluated = min(lastEvaluated, day)
    past.duration = min(duration, day - activeSince + 1)
    past.level = min(level, AlertLevel(duration: past.duration))
    if let end = resolution?.day, end > day { past.resolution = nil }
    return past
  }
}
