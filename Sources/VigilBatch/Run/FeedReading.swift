import VigilDetection
import VigilModel
import VigilStorage

extension FeedRecord {
  /// Counts who sends metric rows, before the batches of a run.
  ///
  /// - Returns: Nil where no silence is followed, or any share of missing persons is allowed.
  /// - Throws: `StorageError`.
  init?(of scope: RunScope, in storage: any Storage) throws {
    let limits = scope.profiles.compactMap { $0.inactivity?.feedLimit }
    guard scope.parts.contains(.patterns), let limit = limits.first else { return nil }
    // Days with a broken feed are none of a person's pauses, on all loaded days.
    let loaded = scope.loadedDays
    let judged = loaded.lowerBound...scope.window.folded.upperBound
    let counted = FeedHistory.days(for: judged)
    let found = try storage.sendersByDay(in: counted, limit: FeedHistory.mostPersons)
    let history = FeedHistory(days: counted, counts: counted.map { found[$0] ?? 0 })
    self.init(
      sending: history.count(on: judged.upperBound),
      usual: history.usual(before: judged.upperBound),
      brokenDays: history.brokenDays(in: judged, limit: limit))
  }
}
