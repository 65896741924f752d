import VigilDetection
import VigilModel
import VigilStorage

extension FeedRecord {
  /// Counts who sends dose rows, before the batches of a run.
  ///
  /// - Returns: Nil where missed doses are not weighed, or any share of missing persons is allowed.
  /// - Throws: `StorageError`.
  init?(ofDosesFor scope: RunScope, in storage: any Storage) throws {
    let limits = scope.profiles.compactMap { $0.adherenceMetric?.doses?.feedLimit }
    guard scope.parts.contains(.patterns), let limit = limits.first else { return nil }
    let judged = scope.loadedDays
    let counted = DoseFeed.days(for: judged)
    let found = try storage.doseSendersByDay(in: counted, limit: FeedHistory.mostPersons)
    let history = FeedHistory(days: counted, counts: counted.map { found[$0] ?? 0 })
    self.init(
      sending: history.count(on: judged.upperBound),
      usual: history.usual(before: judged.upperBound),
      brokenDays: DoseFeed(history).brokenDays(in: judged, limit: limit))
  }
}
