import Foundation
import VigilAnalysis
import VigilDetection
import VigilModel

extension Explanation {
  var patternText: String { metric.pattern == .drop ? "drops are bad" : "rises are bad" }

  var detectorText: String {
    switch metric.detector {
    case .means: "a recent mean against a baseline"
    case .evidence: "evidence against the person's own variation"
    case .doseEvidence: "missed doses against the person's own misses"
    }
  }

  /// A value with its unit, unless that is the metric's name.
  func text(_ value: Double) -> String {
    let unit = metric.metric.unitBesideName
    return NumberText.value(value) + (unit.isEmpty ? "" : " \(unit)")
  }

  /// `38 % below`; `as high as` without a difference or a base.
  private func distance(_ recent: Double, from base: Double) -> String {
    guard abs(base) > EpisodeFigures.zeroBaseline else {
      return recent == base ? "as high as" : recent < base ? "below" : "above"
    }
    let change = (recent - base) / base
    let size = NumberText.change(abs(change)).replacing("+", with: "")
    if size == "0 %" { return "as high as" }
    return "\(size) \(change < 0 ? "below" : "above")"
  }

  /// The answer in a sentence or two for someone who knows neither statistics nor Vigil.
  var sentence: String {
    let level = after.map { "level \($0.level.rawValue)" } ?? ""
    switch change {
    case .none: return "No alert on \(day): \(reasonForNone)"
    case .opened: return "Alert of \(level), opened on \(day): \(comparison) \(explanationOfSize)"
    case .superseded:
      return "Alert of \(level) on \(day), in place of the one before: \(comparison)"
    case .extended: return "Alert of \(level) on \(day), and it goes on: \(comparison)"
    case .escalated(let from):
      return "Alert of \(level) on \(day), until now of level \(from.rawValue): \(comparison)"
    case .continued: return "Alert of \(level) on \(day), and it stays: \(reasonForWaiting)"
    case .resolved(let reason): return "The alert ended on \(day): \(words(for: reason))"
    }
  }

  /// The figures of the day in a sentence.
  private var comparison: String {
    switch judgement {
    case .means(let means):
      guard let figures = means.evaluation.figures else { return "the day cannot be judged." }
      let base = means.isAnchored ? "before the alert" : "of the days before"
      let size = distance(figures.recent.value, from: figures.baseline.value)
      return
        "over \(NumberText.count(figures.recent.count, "day")), \(metric.metric.words) averaged"
        + " \(text(figures.recent.value)), \(size) the average \(base)."
        + (means.evaluation.state == .deviating ? words(forLimitOf: figures) : "")
    case .evidence(let found):
      guard let figures = found.figures, let window = figures.telling else {
        return "the day cannot be judged."
      }
      return "over \(NumberText.count(window.count, "day")), \(metric.metric.words) averaged"
        + " \(text(window.recent)), \(distance(window.recent, from: figures.baseline.value)) what is"
        + " usual for this person."
    case .recovery:
      guard let figures = before?.figures, let value else { return "there is no value." }
      return "the value of the day, \(text(value)), is"
        + " \(distance(value, from: figures.baseline.value)) what was usual before."
    case .doses(let found):
      guard let figures = found.figures else { return "the day cannot be judged." }
      guard let window = figures.telling else { return "no dose of the day was missed." }
      return "\(window.missed) of \(NumberText.count(window.expected, "dose")) were missed since"
        + " \(window.start); usually \(UsualMisses(figures.anchor).words)."
    case .doseRecovery:
      guard let before, let doses = before.doses else { return "the day cannot be judged." }
      return "it began with \(doses.missed) of \(NumberText.count(doses.expected, "dose")) missed;"
        + " usually \(UsualMisses(doses.anchor).words)."
    }
  }

  /// The absolute limit, where it is what makes the day deviate: the average is not lower than usual.
  private func words(forLimitOf figures: EpisodeFigures) -> String {
    let change = ValueChange(figures, of: metric.pattern, limit: metric.limit)
    guard case .below(let limit) = change else { return "" }
    return " That is below \(text(limit)), which is enough for an alert."
  }

  private var explanationOfSize: String {
    switch judgement {
    case .evidence: "That is more than day-to-day variation explains."
    case .doses: "That is more than this person's own misses explain."
    case .means, .recovery, .doseRecovery: ""
    }
  }

  private var reasonForNone: String {
    switch judgement {
    case .means(let means):
      switch means.evaluation.state {
      case .unknown(let reason): return words(for: reason)
      case .deviating:
        return comparison + " Workouts disturb this metric, and the person worked out on this day,"
          + " so it does not count."
      case .normal:
        guard let figures = means.evaluation.figures, figures.isWorse(for: metric.pattern) else {
          return comparison
        }
        return comparison + " That is too little for an alert."
      }
    case .evidence(let found):
      switch found.state {
      case .unknown(let reason): return words(for: reason)
      case .deviating:
        return comparison + " Workouts disturb this metric, and the person worked out on this day,"
          + " so it does not count."
      case .normal:
        guard let figures = found.figures, let window = figures.telling else {
          return "there are too few values since the last alert."
        }
        return comparison + " " + words(for: window, threshold: figures.threshold)
      }
    case .recovery, .doseRecovery: return "nothing has changed."
    case .doses(let found):
      if case .unknown(let reason) = found.state { return words(for: reason) }
      guard let figures = found.figures, let window = figures.telling else { return comparison }
      return comparison + " " + words(for: window, needing: figures.threshold)
    }
  }

  private func words(for window: EvidenceDay.Window, threshold: Double) -> String {
    if window.z < threshold {
      return usualRangeIsGeneral
        ? "There is too little variation so far to distinguish that from chance; the band is that of people in"
          + " general."
        : "That is within this person's day-to-day variation."
    }
    if !window.matters {
      return "That is more than day-to-day variation explains, but too small to matter."
    }
    return "Most of that comes from the change between single days, not from a lasting one."
  }

  private func words(for window: DoseDay.Window, needing threshold: Double) -> String {
    if !window.matters { return "That is too little for an alert." }
    return window.evidence < threshold
      ? "That is within this person's own misses, and their way of coming together."
      : "Another alert ended on this day."
  }

  private func words(for reason: DayEvaluation.UnknownReason) -> String {
    switch reason {
    case .insufficientHistory:
      "there is too little history; the person has too few values in the days before."
    case .gapInRecent:
      value == nil
        ? "there is no value on this day."
        : "a value is missing on one of the days just before, so the day cannot be judged."
    case .insufficientBaseline:
      "there is too little history before the newest days to know what is usual."
    }
  }

  private func words(for reason: EvidenceDay.UnknownReason) -> String {
    switch reason {
    case .noValue: "there is no value on this day."
    case .insufficientBaseline:
      "there is too little history to know what is usual for this person."
    case .recalibrating:
      "another device measures, and there are too few of its values to know what is usual."
    }
  }

  private var reasonForWaiting: String {
    switch wait {
    case .clean(let days, let needed):
      "the newest values are close to usual again"
        + " (\(days) of \(NumberText.count(needed, "day")) that end it)."
    case .noData(let since): "there has been no value since \(since)."
    case .gaps(let since): "too many values are missing since \(since) to judge a day."
    case .workouts(let since):
      "the values since \(since) are of days with a workout, which do not count."
    case nil: "the values are neither as far from usual as before nor close to it."
    }
  }

  private func words(for reason: Episode.Resolution.Reason) -> String {
    switch reason {
    case .recovered: "the values are back to what is usual for this person."
    case .superseded: "another one took its place."
    case .noData: "there have been no values for too long."
    case .rebased: "the level has lasted so long that it is now what is usual for this person."
    case .recalibrated:
      "another device measures, and its values cannot be compared with the ones before."
    case .retracted: "the values that led to it have been corrected."
    case .profileChanged: "other thresholds decide now."
    case .left: "the person has left."
    case .limitEnded: "no limit holds any more."
    }
  }

  /// The change of the input that would have turned the answer.
  var oppositeSentence: String {
    let other = isActive ? "there would be no alert" : "there would be an alert"
    switch opposite {
    case .valueAtMost(let limit):
      return
        "With \(NumberText.limit(limit, of: metric.metric, isMost: true)) or less on this day, \(other)."
    case .valueAtLeast(let limit):
      return
        "With \(NumberText.limit(limit, of: metric.metric, isMost: false)) or more on this day, \(other)."
    case .noWorkout: return "Without a workout on this day, \(other)."
    case .daysWithValue(let days):
      return "After \(NumberText.count(days, "more day")) with a value, a day can be judged."
    case .daysLikeRecent(let days, let value):
      return "No value of this day alone would lead to an alert;"
        + " \(NumberText.count(days, "more day")) with \(text(value)), as in the newest values, would."
    case .usualDays(let days):
      return "No value of this day alone would end the alert;"
        + " \(NumberText.count(days, "more day")) with usual values would."
    case .daysTaken(let days):
      return "\(NumberText.count(days, "more day")) with all doses taken would end the alert."
    case .daysMissed(let days):
      return "\(NumberText.count(days, "more day")) with all doses missed would lead to an alert."
    case nil:
      return isActive
        ? "Neither another value of this day nor 60 usual days after it would end the alert."
        : "Neither another value of this day nor 60 days after it like the newest ones would lead"
          + " to an alert."
    }
  }
}

extension EvidenceDay.Figures {
  /// The window that decided, or else the one with the most evidence.
  var telling: EvidenceDay.Window? {
    if let deviating { return windows[deviating] }
    return windows.max { $0.z < $1.z }
  }
}

extension DoseDay.Figures {
  /// The window that decides, or else the one with the most evidence.
  var telling: DoseDay.Window? {
    if let deciding { return windows[deciding] }
    return windows.max { $0.evidence < $1.evidence }
  }
}

extension EpisodeFigures {
  /// Whether the recent mean is to the bad side of the baseline.
  fileprivate func isWorse(for pattern: PatternType) -> Bool {
    pattern == .drop ? recent.value < baseline.value : recent.value > baseline.value
  }
}

extension NumberText {
  /// A limit rounded to its safe side with the metric's unit, so that the rounded number keeps what is said of it.
  ///
  /// - Parameters:
  ///   - limit: It was found by halving, and is a little beyond the true one.
  ///   - metric: The metric that it is a value of.
  ///   - isMost: Whether values up to it have the answer.
  static func limit(_ limit: Double, of metric: MetricType, isMost: Bool) -> String {
    let scale: Double = abs(limit) >= 100 ? 1 : 10
    let slack = 1e-6 * max(1, abs(limit)) * scale
    let value =
      isMost ? (limit * scale + slack).rounded(.down) : (limit * scale - slack).rounded(.up)
    let unit = metric.unitBesideName
    return NumberText.value(value / scale) + (unit.isEmpty ? "" : " \(unit)")
  }
}
