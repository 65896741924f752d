import VigilAnalysis
import VigilDetection
import VigilModel

extension CombinedExplanation {
  /// The answer in a sentence or two for someone who knows neither statistics nor Vigil.
  var sentence: String {
    let level = after.map { "level \($0.level.rawValue)" } ?? ""
    let names = (after ?? before)?.combined?.metricsInWords ?? "several metrics"
    switch change {
    case .none: return "No alert of several metrics on \(day): \(reasonForNone)"
    case .opened, .superseded:
      let days = after?.combined.map { NumberText.count($0.windowDays, "day") } ?? "some days"
      return
        "Alert of \(level), opened on \(day): over \(days), \(names) were worse than is usual for"
        + " this person, together by more than day-to-day variation explains."
    case .extended:
      return "Alert of \(level) on \(day), and it goes on: \(names) are, together, not yet back to"
        + " what is usual for this person."
    case .escalated(let from):
      return "Alert of \(level) on \(day), until now of level \(from.rawValue): \(names) are,"
        + " together, not yet back to what is usual for this person."
    case .continued: return "Alert of \(level) on \(day), and it stays: \(reasonForWaiting)"
    case .resolved(let reason):
      return "The alert of \(names) ended on \(day): \(words(for: reason))"
    }
  }

  private func words(for reason: Episode.Resolution.Reason) -> String {
    switch reason {
    case .recovered: "together they are back to what is usual for this person."
    case .noData: "none of them has had a value for too long."
    case .rebased: "it has lasted so long that this is now what is usual for this person."
    case .recalibrated: "another device measures one of them."
    case .superseded, .retracted, .profileChanged, .left, .limitEnded: reason.words + "."
    }
  }

  private var reasonForWaiting: String {
    guard case .recovery(let recovery)? = figures, recovery.hasValue else {
      return "none of its metrics has a value on this day."
    }
    return recovery.isEasing
      ? "the newest values are close to usual again, not yet for long enough."
      : "the person worked out on this day, which disturbs one of its metrics."
  }

  private var reasonForNone: String {
    guard case .evidence(let windows)? = figures, let window = telling else {
      return "no metric has a value on this day and a history that says what is usual."
    }
    if window.decides {
      return "workouts disturb one of the metrics that are worse, and the person worked out on this"
        + " day."
    }
    guard let evidence = window.evidence else {
      let counting = Set(windows.flatMap { $0.metrics.filter(\.counts).map(\.metric) }).sorted()
      guard let one = counting.first else {
        return "no metric is so much worse that it could be part of one."
      }
      return counting.count == 1
        ? "only one metric (\(one.words)) is so much worse that it could be part of one."
        : "the metrics that are worse measure the same."
    }
    let names = window.contributing.map(\.words).joined(separator: " and ")
    return "over \(NumberText.count(window.days, "day")), \(names) are worse than usual together,"
      + " with evidence \(NumberText.decimals(evidence)) of"
      + " \(NumberText.decimals(window.threshold)) that is needed. That is within this person's"
      + " day-to-day variation."
  }

  /// The change of the input that would have turned the answer.
  var oppositeSentence: String {
    let other = isActive ? "there would be no alert" : "there would be an alert"
    return switch opposite {
    case .valueAtMost(let metric, let limit):
      "With \(NumberText.limit(limit, of: metric, isMost: true)) or less of \(metric.words) on this day,"
        + " \(other)."
    case .valueAtLeast(let metric, let limit):
      "With \(NumberText.limit(limit, of: metric, isMost: false)) or more of \(metric.words) on this"
        + " day, \(other)."
    case .noWorkout: "Without a workout on this day, there would be an alert."
    case .daysLikeRecent(let days):
      "No value of one metric on this day alone would lead to an alert;"
        + " \(NumberText.count(days, "more day")) on which every metric is as in its newest values would."
    case .usualDays(let days):
      "No value of one metric on this day alone would end the alert;"
        + " \(NumberText.count(days, "more day")) with usual values would."
    case nil:
      isActive
        ? "Neither another value of one metric on this day nor 60 usual days after it would end the alert."
        : "Neither another value of one metric on this day nor 60 days after it like the newest ones would"
          + " lead to an alert."
    }
  }
}
