import VigilModel

/// The cells of one row of the list.
extension AlertsReport {
  func metricCell(_ alert: ListedAlert) -> TextTable.Cell {
    switch alert {
    case .metric(let alert):
      alert.episode.combined.map {
        .init($0.metricsInWords, short: "\($0.contributions.count) metrics")
      } ?? .init(alert.series.metric.words)
    case .medication(let alert): .init(alert.kind.words)
    }
  }

  func valuesText(_ alert: ListedAlert) -> String {
    switch alert {
    case .metric(let alert):
      if alert.episode.combined != nil { return "–" }
      if let words = alert.silenceWords { return words }
      if let doses = alert.episode.doses { return doses.countsText }
      let figures = alert.episode.figures
      let values =
        "\(NumberText.value(figures.baseline.value)) → \(NumberText.value(figures.recent.value))"
      let unit = alert.series.metric.unit
      return unit.isEmpty ? values : "\(values) \(unit)"
    case .medication(let alert): return "medication \(alert.medication.shortened)"
    }
  }

  func evidenceText(_ alert: ListedAlert) -> String {
    guard case .metric(let alert) = alert else { return "–" }
    let episode = alert.episode
    return episode.evidence?.shortText ?? episode.combined?.shortText ?? episode.doses?.shortText
      ?? "–"
  }

  func stateText(_ alert: ListedAlert) -> String {
    switch alert {
    case .metric(let alert):
      let provisional = provisional.contains(alert.id) ? "provisional" : nil
      if let resolution = alert.episode.resolution {
        let state = "resolved \(resolution.day) (\(resolution.reason.words))"
        return [state, provisional].compactMap(\.self).joined(separator: ", ")
      }
      return Self.activeText(
        provisional,
        answer(
          isDismissed: alert.dismissedAt != nil, snoozeUntil: alert.snoozeUntil,
          isAcknowledged: alert.acknowledgedAt != nil), courses[alert.id]?.wait?.words)
    case .medication(let alert):
      if let resolution = alert.resolution {
        return "resolved \(resolution.day) (\(resolution.reason.words))"
      }
      return Self.activeText(
        answer(
          isDismissed: alert.dismissedAt != nil, snoozeUntil: alert.snoozeUntil,
          isAcknowledged: alert.acknowledgedAt != nil))
    }
  }

  private static func activeText(_ details: String?...) -> String {
    (["active"] + details.compactMap(\.self)).joined(separator: ", ")
  }

  private func answer(isDismissed: Bool, snoozeUntil: Day?, isAcknowledged: Bool) -> String? {
    if isDismissed { return "dismissed" }
    if let snoozeUntil, snoozeUntil > today { return "snoozed until \(snoozeUntil)" }
    return isAcknowledged ? "acknowledged" : nil
  }
}

extension MedicationAlert.Resolution.Reason {
  /// The reason in words, such as `recovered`.
  var words: String { rawValue }
}
