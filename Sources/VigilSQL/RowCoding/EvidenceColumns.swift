import VigilModel

/// The columns of `pattern_alert_state` that hold the evidence of an episode, or none.
enum EvidenceColumns {
  /// The evidence of one metric, of several together, of missed doses, of silence, or of a limit.
  enum Evidence {
    case series(EpisodeEvidence)
    case person(CombinedEvidence)
    case doses(DoseEvidence)
    case silence(SilenceEvidence)
    case limit(LimitEvidence)
  }

  static let names = [
    "opened_on", "window_days", "evidence", "evidence_threshold", "shift_spreads", "anchor",
    "longest_pause_days",
  ]

  static func put(_ episode: Episode, into row: some RowWriter) {
    if let combined = episode.combined {
      row.put(combined.openedOn)
      row.put(combined.windowDays)
      row.put(combined.evidence)
      row.put(combined.threshold)
      row.put(combined.shift)
      row.put(CombinedText.text(of: combined))
      row.put(nil as Int?)
      return
    }
    if let silence = episode.silence {
      row.put(silence.openedOn)
      row.put(nil as Int?)
      row.put(nil as Double?)
      row.put(Double(silence.threshold))
      row.put(nil as Double?)
      row.put(nil as String?)
      row.put(silence.longestPause)
      return
    }
    if let limit = episode.limit {
      row.put(limit.openedOn)
      row.put(limit.days)
      row.put(limit.value)
      row.put(limit.limit)
      row.put(nil as Double?)
      row.put(levelText(limit.level))
      row.put(nil as Int?)
      return
    }
    if let doses = episode.doses {
      row.put(doses.openedOn)
      row.put(doses.windowDays)
      row.put(doses.evidence)
      row.put(doses.threshold)
      row.put(Double?.none)
      row.put(DoseText.text(of: doses))
      row.put(nil as Int?)
      return
    }
    let evidence = episode.evidence
    row.put(evidence?.openedOn)
    row.put(evidence?.windowDays)
    row.put(evidence?.z)
    row.put(evidence?.threshold)
    row.put(evidence?.shift)
    row.put((evidence?.anchor).map(AnchorText.text))
    row.put(nil as Int?)
  }

  /// Returns nil where all of the columns are NULL.
  ///
  /// - Parameters:
  ///   - row: The row, before the first of the columns.
  ///   - days: The first day of the episode and the last one that changed it.
  ///   - pattern: That of the row, which says whose evidence it is.
  static func decode(
    _ row: inout some RowReader, within days: ClosedRange<Day>, of pattern: PatternType
  ) throws -> Evidence? {
    guard !row.isNextNull || pattern == .worse else {
      for _ in names { try row.requireNull() }
      return nil
    }
    let openedOn = try row.day()
    guard days.contains(openedOn) else {
      throw row.refusal(expected: "from active_since to last_evaluated_date")
    }
    if pattern == .silence { return .silence(try decodeSilence(&row, openedOn: openedOn)) }
    let windowDays = try row.dayCount()
    guard windowDays > 0 else { throw row.refusal(expected: "a number of days above 0") }
    let (z, threshold) = try (row.finite(), row.finite())
    if pattern.isOfLimit {
      try row.requireNull()
      let text = try row.text()
      guard let level = AlertLevel.allCases.first(where: { levelText($0) == text }) else {
        throw row.refusal(expected: "what this version writes there of limits")
      }
      try row.requireNull()
      return .limit(
        LimitEvidence(
          openedOn: openedOn, days: windowDays, value: z, limit: threshold, level: level))
    }
    let hasShift = !row.isNextNull
    var shift = 0.0
    if hasShift { shift = try row.finite() } else { row.skip() }
    let text = try row.text()
    if !hasShift {
      guard pattern == .drop || pattern == .medication,
        let anchor = DoseText.members(of: text)
      else {
        throw row.refusal(expected: "what this version writes there of doses")
      }
      try row.requireNull()
      return .doses(
        anchor.evidence(
          openedOn: openedOn, windowDays: windowDays, evidence: z, threshold: threshold))
    }
    if pattern == .worse, let metrics = CombinedText.metrics(of: text) {
      try row.requireNull()
      return .person(
        CombinedEvidence(
          openedOn: openedOn, windowDays: windowDays, evidence: z, threshold: threshold,
          contributions: metrics.contributions, unchanged: metrics.unchanged))
    }
    guard pattern != .worse, let anchor = AnchorText.anchor(of: text) else {
      throw row.refusal(expected: "what this version writes there")
    }
    try row.requireNull()
    return .series(
      EpisodeEvidence(
        openedOn: openedOn, windowDays: windowDays, z: z, threshold: threshold, shift: shift,
        anchor: anchor))
  }

  private static func levelText(_ level: AlertLevel) -> String { "{\"level\":\(level.rawValue)}" }

  private static func decodeSilence(
    _ row: inout some RowReader, openedOn: Day
  ) throws -> SilenceEvidence {
    try row.requireNull()
    try row.requireNull()
    let threshold = try row.finite()
    guard (1...365).contains(threshold) else { throw row.refusal(expected: "silent days") }
    try row.requireNull()
    try row.requireNull()
    return SilenceEvidence(
      openedOn: openedOn, threshold: Int(threshold), longestPause: try row.dayCount())
  }
}

extension RowReader {
  /// Passes a column that is NULL for this kind of alert.
  fileprivate mutating func requireNull() throws {
    let isNull = isNextNull
    skip()
    guard isNull else { throw refusal(expected: "NULL for this kind of alert") }
  }
}
