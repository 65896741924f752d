import VigilAnalysis
import VigilModel

extension ComparisonReport: Encodable {
  public func encode(to encoder: any Encoder) throws {
    let found = comparison
    let fields: JSONFields = [
      "first_profile": profiles.first.fields,
      "second_profile": profiles.second.fields,
      "first_day": found.days.lowerBound,
      "last_day": found.days.upperBound,
      "persons": found.persons,
      "person_days": found.personDays,
      "recipients": found.recipientCount,
      "is_same": found.isEmpty,
      "events": found.events.fields,
      "total": found.total.fields(),
      "notifications_per100_person_days": found.notificationsPer100PersonDays?.fields,
      "notifications_per_recipient_week": found.notificationsPerRecipientWeek?.fields,
      "metrics": found.metrics.sorted { $0.key < $1.key }.map { $0.value.fields(of: $0.key) },
      "levels": found.levels.sorted { $0.key < $1.key }.map { $0.value.fields(of: $0.key) },
      "most_affected": listed.map { person, tally -> JSONFields in
        ["user_id": person, "external_id": externalIDs[person], "tally": tally.fields()]
      },
      "differences": found.pairs.filter { !$0.isSame }.map(\.fields),
    ]
    try fields.encode(to: encoder)
  }
}

extension Profile {
  fileprivate var fields: JSONFields { ["version": version, "digest": digest] }
}

extension ByProfile where Value: JSONRepresentable {
  fileprivate var fields: JSONFields { ["first": first, "second": second] }
}

extension ComparisonTally {
  /// - Parameter metric: Nil in counts of several metrics.
  fileprivate func fields(of metric: MetricType? = nil) -> JSONFields {
    [
      "metric_type": metric?.rawValue,
      "both": both,
      "earlier": earlier,
      "later": later,
      "other_level": otherLevel,
      "only": only.fields,
      "notifications": notifications.fields,
      // Days; null where no episode is earlier, or later.
      "median_days_earlier": medianShift(earlier: true),
      "median_days_later": medianShift(earlier: false),
    ]
  }
}

extension LevelTally {
  fileprivate func fields(of level: AlertLevel) -> JSONFields {
    [
      "level": level.rawValue,
      "episodes": episodes.fields,
      "only": only.fields,
      "notifications": notifications.fields,
    ]
  }
}

extension EpisodePair {
  fileprivate var fields: JSONFields {
    [
      "user_id": series.user,
      "metric_type": series.metric.rawValue,
      "pattern_type": series.pattern.rawValue,
      // Negative where the second profile was earlier; null where only one of them has the episode.
      "days_later": delay,
      "first": first?.fields,
      "second": second?.fields,
    ]
  }
}

extension ComparedEpisode {
  fileprivate var fields: JSONFields {
    [
      "active_since": days.lowerBound,
      "opened_on": openedOn,
      "level": level.rawValue,
      // Null while it is active.
      "resolved_on": resolvedOn,
      "resolution_reason": resolution?.rawValue,
    ]
  }
}
