import VigilDetection
package import VigilModel

extension LimitExplanation {
  /// The explanation in JSON.
  ///
  /// - Parameter person: The person and the rules.
  package func fields(of person: ExplainedPerson) -> JSONFields {
    head(of: person) + [
      "value": value,
      "values": values.map { value -> JSONFields in
        ["date": value.day, "value": value.value, "is_beyond": value.isBeyond]
      },
      "limits": limits.map { limit -> JSONFields in
        [
          "direction": limit.limit.direction.rawValue,
          "limit_value": limit.limit.value,
          "days": limit.limit.days,
          "severity": limit.limit.severity.rawValue,
          // Null for a limit of the thresholds.
          "set_by": limit.personal?.setBy,
          "starts_on": limit.personal?.days.lowerBound,
          "ends_on": limit.personal?.days.upperBound,
        ]
      },
      "active_since": after?.activeSince,
      "current_level": after?.level.rawValue,
      "resolved_on": after?.resolution?.day,
    ]
  }
}
