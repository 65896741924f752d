import VigilModel

/// The cells of one row of the list.
extension AlertsReport {
  func metricCell(_ alert: PatternAlertState) -> TextTable.Cell {
    alert.episode.combined.map {
      .init($0.metricsInWords, short: "\($0.contributions.count) metrics")
    } ?? .init(alert.series.metric.words)
  }

  func valuesText(_ alert: PatternAlertState) -> String {
    if alert.episode.combined != nil { return "–" }
    if let medication = alert.series.medication { return "medication \(medication.shortened)" }
    if let words = alert.silenceWords { return words }
    if let doses = alert.episode.doses { return doses.countsText }
    let figures = alert.episode.figures
    let values =
      "\(NumberText.value(figures.baseline.value)) → \(NumberText.value(figures.recent.value))"
    let unit = alert.series.metric.unit
    return unit.isEmpty ? values : "\(values) \(unit)"
  }

  func evidenceText(_ alert: PatternAlertState) -> String {
    let episode = alert.episode
    return episode.evidence?.shortText ?? episode.combined?.shortText ?? episode.doses?.shortText
      ?? "–"
  }

  func stateText(_ alert: PatternAlertState) -> String {
    let provisional = provisional.contains(alert.id) ? "provisional" : nil
    if let resolution = alert.episode.resolution {
      let state = "resolved \(resolution.day) (\(resolution.reason.words))"
      return [state, provisional].compactMap(\.self).joined(separator: ", ")
    }
    return ["active", provisional, answer(to: alert), courses[alert.id]?.wait?.words]
      .compactMap(\.self).joined(separator: ", ")
  }

  private func answer(to alert: PatternAlertState) -> String? {
    if alert.dismissedAt != nil { return "dismissed" }
    if let end = alert.snoozeUntil, end > today { return "snoozed until \(end)" }
    return alert.acknowledgedAt == nil ? nil : "acknowledged"
  }
}
