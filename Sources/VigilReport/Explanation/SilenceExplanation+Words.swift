import VigilAnalysis
import VigilDetection
import VigilModel

extension SilenceExplanation {
  /// The answer in a sentence.
  var sentence: String {
    let level = after.map { "level \($0.level.rawValue)" } ?? ""
    let silence = after.map { $0.silence(of: series.metric) } ?? ""
    switch change {
    case .none: return "No alert of \(series.metric.words) on \(day): \(reasonForNone)"
    case .opened, .superseded:
      return "Alert of \(level) since \(day): \(silence), since \(after?.activeSince ?? day)."
    case .escalated(let from):
      return "Alert of \(level) on \(day), until now of level \(from.rawValue): \(silence)."
    case .extended, .continued:
      return "Alert of \(level) on \(day), and it goes on: \(silence)."
    case .resolved:
      return "The alert of \(series.metric.words) ended on \(day): \(end)"
    }
  }

  private var isOfCheckIns: Bool { series.metric == .checkInOverdue }

  private var end: String {
    isOfCheckIns
      ? "the person checked in, or no check-in is due any more."
      : "the person gave a sign of life on this day."
  }

  private var reasonForNone: String {
    if isOfCheckIns {
      guard let count, count > 0 else { return "no check-in is overdue on this day." }
      return "a check-in is overdue for \(NumberText.count(count, "day")), and an alert opens with"
        + " \(NumberText.count(series.settings.openAfterDays, "day"))."
    }
    guard let count else {
      return "no sign of life of this person was found in all the days that count, so the person is"
        + " not watched."
    }
    if count == 0 { return "the person gave a sign of life on this day." }
    if isSuspended {
      return
        "there is no data for \(NumberText.count(count, "day")), but so many others are silent, too,"
        + " that the feed seems broken; the person is judged again when it is back."
    }
    let settings = series.settings
    guard count < settings.openAfterDays else {
      return "\(NumberText.count(count, "day")) without data are more than the"
        + " \(NumberText.count(settings.watchedDays ?? 0, "day")) in which a person is watched."
    }
    return "there is no data for \(NumberText.count(count, "day")), and an alert opens with"
      + " \(NumberText.count(settings.openAfterDays, "day"))."
  }

  /// The change of the input that would have turned the answer.
  var oppositeSentence: String {
    if isActive {
      return isOfCheckIns
        ? "A check-in on this day would have ended the alert."
        : "A sign of life on this day would have ended the alert."
    }
    if isOfCheckIns, count == 0 {
      return "Without a check-in, an alert opens when the deadline of the person's plan has passed."
    }
    guard let days = daysUntilOpening else {
      return "Silent days after this one would not lead to an alert."
    }
    if isOfCheckIns {
      return "\(NumberText.count(days, "more day")) without a check-in would lead to an alert."
    }
    return "\(NumberText.count(days, "more day")) without a sign of life would lead to an alert."
  }
}

extension Episode {
  /// The silence in words: `no data for 5 days`.
  func silence(of metric: MetricType) -> String {
    (metric == .checkInOverdue ? "check-in overdue" : "no data")
      + " for \(NumberText.count(duration, "day"))"
  }
}

extension PatternAlertState {
  /// The alert in words, where it is of silence: `no data for 5 days`.
  var silenceWords: String? {
    series.pattern == .silence ? episode.silence(of: series.metric) : nil
  }
}
