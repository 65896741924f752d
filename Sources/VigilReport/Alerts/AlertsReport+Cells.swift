import VigilModel

/// The cells of one row of the list.
extension AlertsReport {
  func metricCell(_ alert: PatternAlertState) -> TextTable.Cell {
    guard let combined = alert.episode.combined, let worst = combined.worst else {
      return .init(alert.series.metric.words, short: alert.series.metric.shortWords)
    }
    let others = combined.contributions.count - 1
    return .init(combined.metricsInWords, short: "\(worst.metric.shortWords) +\(others)")
  }

  /// The change as a percentage, or the limit that values are below; of several metrics, that of the worst one.
  func changeCell(_ alert: PatternAlertState) -> TextTable.Cell {
    if let worst = alert.episode.combined?.worst {
      let change = worst.deviation.map(NumberText.change) ?? "–"
      return .init("\(worst.metric.words) \(change)", short: change)
    }
    let figures = alert.episode.figures
    if alert.series.pattern.isOfLimit {
      let unit = alert.series.metric.unit
      let text = NumberText.value(figures.baseline.value) + (unit.isEmpty ? "" : " \(unit)")
      return alert.series.pattern == .belowLimit
        ? .init("below \(text)", short: "< \(text)") : .init("above \(text)", short: "> \(text)")
    }
    let change = ValueChange(figures, of: alert.series.pattern, limit: limits[alert])
    if case .below(let limit) = change {
      let unit = alert.series.metric.unit
      let text = NumberText.value(limit) + (unit.isEmpty ? "" : " \(unit)")
      return .init("below \(text)", short: "< \(text)")
    }
    return .init(figures.deviation.map(NumberText.change) ?? "–")
  }

  func worstCell(_ alert: PatternAlertState) -> TextTable.Cell {
    guard let worst = courses[alert.id]?.worst else { return .init("–") }
    let change = NumberText.change(worst.deviation)
    return .init(worst.metric.map { "\($0.words) \(change)" } ?? change, short: change)
  }

  func valuesText(_ alert: PatternAlertState) -> String {
    if let worst = alert.episode.combined?.worst {
      return valuesText(worst.baseline.value, worst.recent.value, of: worst.metric)
    }
    if let medication = alert.series.medication { return "medication \(medication.shortened)" }
    if let words = alert.silenceWords { return words }
    if let doses = alert.episode.doses { return doses.countsText }
    let figures = alert.episode.figures
    if alert.series.pattern.isOfLimit {
      let unit = alert.series.metric.unit
      return NumberText.value(figures.recent.value) + (unit.isEmpty ? "" : " \(unit)")
    }
    return valuesText(figures.baseline.value, figures.recent.value, of: alert.series.metric)
  }

  private func valuesText(_ usual: Double, _ recent: Double, of metric: MetricType) -> String {
    let values = "\(NumberText.value(usual)) → \(NumberText.value(recent))"
    return metric.unit.isEmpty ? values : "\(values) \(metric.unit)"
  }

  func stateCell(_ alert: PatternAlertState) -> TextTable.Cell {
    let words = AlertStateWords(alert, courses[alert.id], today: today)
    return .init(
      words.text(isProvisional: provisional.contains(alert.id)), short: words.shortState)
  }
}

extension CombinedEvidence {
  /// The contributing metric whose change is the largest part of the evidence.
  var worst: Contribution? { contributions.max { share(of: $0) < share(of: $1) } }
}

extension CombinedEvidence.Contribution {
  /// As a fraction of the baseline; nil where that is 0.
  var deviation: Double? { EpisodeFigures(baseline: baseline, recent: recent).deviation }
}
