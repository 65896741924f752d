import VigilDetection
import VigilModel

extension DecisionExplainer {
  /// The comparison that decides about `day`.
  func judgement(of series: ExplainedSeries, on day: Day, _ past: Past) -> Explanation.Judgement {
    if let settings = metric.doses {
      return doses(of: series.doseSeries, on: day, past, by: settings)
    }
    var padded = series
    // Explained days may be after the last value.
    padded[day] = series[day]
    let index = day - padded.firstDay
    let firstDay = padded.firstDay
    return padded.values.withUnsafeBufferPointer { values in
      guard let prior = metric.evidence else {
        return .means(means(values, at: index, firstDay: firstDay, past.before))
      }
      let evaluator = EvidenceEvaluator(metric, prior, thresholds.evidence)
      let context = EvidenceContext(
        ended: ended(before: day, past), deviceChanges: series.deviceChanges, on: day,
        settings: thresholds.evidence)
      if let evidence = past.before?.evidence {
        return .recovery(
          evaluator.recovery(
            from: evidence, in: values, at: index, firstDay: firstDay, context: context))
      }
      return .evidence(
        evaluator.evaluate(values, at: index, firstDay: firstDay, context: context))
    }
  }

  private func doses(
    of series: DoseSeries, on day: Day, _ past: Past, by settings: DoseEvidenceSettings
  ) -> Explanation.Judgement {
    let evaluator = DoseEvaluator(settings)
    if let opening = past.before?.doses {
      return .doseRecovery(evaluator.recovery(from: opening, in: series, on: day))
    }
    return .doses(
      evaluator.evaluate(
        series, on: day, context: EvidenceContext(ended: ended(before: day, past))))
  }

  private func means(
    _ values: UnsafeBufferPointer<Double>, at index: Int, firstDay: Day, _ before: Episode?
  ) -> MeansJudgement {
    let anchor = thresholds.baseline.mode == .anchored ? before?.figures.baseline : nil
    let evaluation = DayEvaluator(metric, of: thresholds).evaluate(
      values, at: index, firstDay: firstDay, against: anchor)
    return MeansJudgement(
      evaluation: evaluation, isAnchored: anchor != nil,
      rules: evaluation.figures.map { figures in
        metric.rules.map { rule in
          RuleMargin(
            rule, base: figures.baseline.value, recent: figures.recent.value,
            isMatched: evaluation.matchedRules.contains(rule.kind))
        }
      } ?? [])
  }

  /// The episodes of the series that had ended before `day`.
  private func ended(before day: Day, _ past: Past) -> [Episode] {
    endedBefore(folded: past.first, past.series)
      + past.folded.filter { $0.resolution.map { $0.day < day } ?? false }
  }

  /// The value of a day that the explained decision takes as usual; nil where there is no baseline.
  func usualValue(of day: Day, _ explanation: Explanation) -> Double? {
    if let evidence = metric.evidence {
      return anchor(of: explanation).map {
        evidence.usualValue(of: day, in: $0)
      }
    }
    guard case .means(let means) = explanation.judgement else { return nil }
    return means.evaluation.figures?.baseline.value ?? explanation.before?.figures.baseline.value
  }

  func usualRange(of explanation: Explanation) -> ClosedRange<Double>? {
    guard let evidence = metric.evidence, let anchor = anchor(of: explanation) else { return nil }
    return evidence.usualRange(in: anchor, of: explanation.day)
  }

  func usualRangeIsGeneral(_ explanation: Explanation) -> Bool {
    guard let evidence = metric.evidence, case .evidence(let found) = explanation.judgement,
      let figures = found.figures
    else { return false }
    return thresholds.evidence.isMostlyPrior(
      spread: figures.anchor.spread, poolSize: figures.baseline.count,
      prior: evidence.priorSpread)
  }

  /// The anchor that the day is judged against, under evidence.
  private func anchor(of explanation: Explanation) -> EvidenceAnchor? {
    switch explanation.judgement {
    case .evidence(let found): found.figures?.anchor
    case .recovery: explanation.before?.evidence?.anchor
    case .means, .doses, .doseRecovery: nil
    }
  }
}
