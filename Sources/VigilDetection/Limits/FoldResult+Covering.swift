public import VigilModel

extension FoldResult {
  /// Marks the levels that other alerts stand for: on their days members are notified of those (specification,
  /// limits.md section 5).
  ///
  /// A level that is covered on its day comes later, where its episode goes on when the other alert has ended.
  ///
  /// - Parameters:
  ///   - covering: By series, the days on which another alert stands for it.
  ///   - last: The last day that notifies.
  public mutating func cover(by covering: [Int: [Range<Day>]], through last: Day) {
    for (place, level) in levels.enumerated() {
      let folded = episodes[level.episode]
      guard let days = covering[folded.series] else { continue }
      var free = level.day
      while let other = days.first(where: { $0.contains(free) }) { free = other.upperBound }
      guard free > level.day else { continue }
      let next = place + 1 < levels.count ? levels[place + 1] : nil
      let isLast = next.map { $0.episode != level.episode || free < $0.day } ?? true
      let goesOn =
        free <= last && folded.episode.resolution.map { free < $0.day } ?? true
      if isLast, goesOn {
        levels[place].day = free
        levels[place].duration = min(
          folded.episode.duration, level.duration + (free - level.day))
      } else {
        levels[place].isCovered = true
      }
    }
  }
}
