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
      let text = alert.series.metric.text(of: figures.baseline.value)
      return alert.series.pattern == .belowLimit
        ? .init("below \(text)", short: "< \(text)") : .init("above \(text)", short: "> \(text)")
    }
    let change = ValueChange(figures, of: alert.series.pattern, limit: limits[alert])
    if case .below(let limit) = change {
      let text = alert.series.metric.text(of: limit)
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
      return worst.metric.text(from: worst.baseline.value, to: worst.recent.value)
    }
    if let medication = alert.series.medication { return "medication \(medication.shortened)" }
    if let words = alert.silenceWords { return words }
    if let doses = alert.episode.doses { return doses.countsText }
    let figures = alert.episode.figures
    if alert.series.pattern.isOfLimit {
      return alert.series.metric.text(of: figures.recent.value)
    }
    return alert.series.metric.text(from: figures.baseline.value, to: figures.recent.value)
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
