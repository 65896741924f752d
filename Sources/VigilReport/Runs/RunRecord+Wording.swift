import Foundation
import VigilModel
import VigilStorage
import VigilWords

extension RunRecord {
  /// Whether the run is recorded as running, and no process works on it.
  ///
  /// - Parameter atWork: The runs whose processes hold the run lock; nil where that is not known.
  func isAbandoned(atWork: Set<UUID>?) -> Bool {
    status == .running && atWork?.contains(id) == false
  }

  func statusText(atWork: Set<UUID>?) -> String {
    guard isAbandoned(atWork: atWork) else { return status.rawValue }
    return shards > 1
      ? "\(status.rawValue), no shard at work" : "\(status.rawValue), its process is gone"
  }

  var daysText: String {
    days.count == 1 ? "\(days.lowerBound)" : "\(days.lowerBound)..\(days.upperBound)"
  }

  /// Wall-clock time from start to finish, 0 where the clock was set back in between; nil while the
  /// run is running.
  var seconds: Double? {
    finishedAt.map { Double(max(0, $0.microseconds - startedAt.microseconds)) / 1_000_000 }
  }

  func episodesText(_ words: PageWords = .ofReports) -> String {
    words.text(
      .runChanges,
      [
        "opened": words.count(counts.episodesOpened),
        "escalated": words.count(counts.episodesEscalated),
        "resolved": words.count(counts.episodesResolved),
      ])
  }

  /// The state of the feed, where it seems broken on the last evaluated day.
  var feedText: String? {
    guard let feed, feed.isBroken(on: days.upperBound) else { return nil }
    return "seems broken: \(NumberText.count(feed.sending)) of usually"
      + " \(NumberText.count(feed.usual, "person")) have a row of \(days.upperBound);"
      + " no silence opened an alert"
  }

  /// The state of the feed of doses, where it seems broken on the last evaluated day.
  var doseFeedText: String? {
    guard let feed = doseFeed, feed.isBroken(on: days.upperBound) else { return nil }
    return "seems broken: \(NumberText.count(feed.sending)) of usually"
      + " \(NumberText.count(feed.usual, "person")) have a dose row of \(days.upperBound);"
      + " doses without a record are no misses"
  }

  func notificationsText(_ words: PageWords = .ofReports) -> String {
    var values = ["count": words.count(counts.notificationsEnqueued)]
    if counts.notificationsHeld > 0 { values["held"] = words.count(counts.notificationsHeld) }
    return words.text(mode == .shadow ? .runPlanned : .runEnqueued, values)
  }

  /// The evaluated parts, where the run does not evaluate all of them; nil otherwise.
  var partsText: String? {
    parts == .all ? nil : parts.sorted().map(\.rawValue).joined(separator: " and ")
  }

  var vitalityText: String {
    let insights = NumberText.count(counts.insightsFound, "insight")
    return parts.contains(.vitality)
      ? "\(NumberText.count(counts.scoresChanged, "score")) new or changed, \(insights)" : insights
  }

  var rowsChangedText: String {
    "\(NumberText.count(counts.rowsChanged)) since the newest watermark before"
  }
}

extension RunRecord.Status {
  var emphasis: Emphasis? {
    switch self {
    case .failed, .held: .high
    case .interrupted: .medium
    case .running, .succeeded: nil
    }
  }
}

extension ShardRecord.Status {
  var emphasis: Emphasis? {
    switch self {
    case .failed, .held: .high
    case .interrupted: .medium
    case .running, .succeeded: nil
    }
  }
}

extension DataQualityCount {
  /// The subject of the count.
  var subjectText: String {
    switch unit {
    case .days: "whole day"
    case .rows: "whole row"
    case .values, .persons, .metrics, nil: metric?.words ?? "all"
    }
  }
}

extension Timestamp {
  /// `2026-06-30 02:15`, in UTC.
  var minuteText: String {
    String(description.prefix(16)).replacing("T", with: " ")
  }
}
