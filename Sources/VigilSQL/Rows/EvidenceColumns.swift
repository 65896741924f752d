import VigilModel

/// The columns of `pattern_alert_state` that hold an `EpisodeEvidence`: all of them, or none.
enum EvidenceColumns {
  static let names = [
    "opened_on", "window_days", "evidence", "evidence_threshold", "shift_spreads", "anchor",
  ]

  static func put(_ evidence: EpisodeEvidence?, into row: some RowWriter) {
    row.put(evidence?.openedOn)
    row.put(evidence?.windowDays)
    row.put(evidence?.z)
    row.put(evidence?.threshold)
    row.put(evidence?.shift)
    row.put((evidence?.anchor).map(AnchorText.text))
  }

  /// Returns nil where all of the columns are NULL.
  ///
  /// - Parameters:
  ///   - row: The row, before the first of the columns.
  ///   - days: The first day of the episode and the last one that changed it.
  static func decode(
    _ row: inout some RowReader, within days: ClosedRange<Day>
  ) throws -> EpisodeEvidence? {
    guard !row.isNextNull else {
      for _ in names {
        let isNull = row.isNextNull
        row.skip()
        guard isNull else { throw row.refusal(expected: "NULL where \(names[0]) is") }
      }
      return nil
    }
    let openedOn = try row.day()
    guard days.contains(openedOn) else {
      throw row.refusal(expected: "from active_since to last_evaluated_date")
    }
    let windowDays = try row.dayCount()
    guard windowDays > 0 else { throw row.refusal(expected: "a number of days above 0") }
    let (z, threshold, shift) = try (row.finite(), row.finite(), row.finite())
    guard let anchor = AnchorText.anchor(of: try row.text()) else {
      throw row.refusal(expected: "what this version writes there")
    }
    return EpisodeEvidence(
      openedOn: openedOn, windowDays: windowDays, z: z, threshold: threshold, shift: shift,
      anchor: anchor)
  }
}
