import VigilDetection
package import VigilModel

extension SilenceExplanation {
  /// The explanation in JSON, as the command line and the C library have it.
  ///
  /// - Parameter person: The person and the rules.
  package func fields(of person: ExplainedPerson) -> JSONFields {
    head(of: person) + [
      // Null where it is longer than was read.
      "silent_days": count,
      "silent_since": count.flatMap { _ in silentSince },
      "open_after_days": opening.first,
      "watched_days": opening.last,
      // Null where the day is not silent, or the series is of check-ins.
      "pauses": habit?.value.pauses,
      "habit_days": habit?.value.days,
      "active_since": after?.activeSince,
      "current_level": after?.level.rawValue,
      "resolved_on": after?.resolution?.day,
    ]
  }
}
