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
      return "Alert of \(level), opened on \(day): \(silence), since \(after?.activeSince ?? day)."
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
    if after?.resolution?.reason == .left {
      return "the person has been silent for so long that they count as one who has left."
    }
    return isOfCheckIns
      ? "the person checked in, or no check-in is due any more."
      : "the person gave a sign of life on this day."
  }

  private var reasonForNone: String {
    switch series {
    case .checkInOverdue(let settings): reasonForNone(settings)
    case .inactivity(let settings): reasonForNone(settings)
    }
  }

  private func reasonForNone(_ settings: OverdueSettings) -> String {
    guard let count, count > 0 else { return "no check-in is overdue on this day." }
    return "a check-in is overdue for \(NumberText.count(count, "day")), and an alert opens with"
      + " \(NumberText.count(settings.openAfterDays, "day"))."
  }

  private func reasonForNone(_ settings: InactivitySettings) -> String {
    guard let count else {
      return "no sign of life of this person was found in all the days that count, so the person is"
        + " not watched."
    }
    if count == 0 { return "the person gave a sign of life on this day." }
    let silence = NumberText.count(count, "day")
    if isSuspended {
      return "there is no data for \(silence), but so many others are silent, too,"
        + " that the feed seems broken; the person is judged again when it is back."
    }
    guard let habit else {
      return "there is no data for \(silence), but no device was worn in the"
        + " \(NumberText.count(settings.maxDays, "day")) before, so none could have fallen silent."
    }
    if count >= settings.leftAfterDays {
      return "\(silence) without data are as many as those of people who have left, which is"
        + " \(NumberText.count(settings.leftAfterDays, "day")) or more."
    }
    guard habit.countedDays < habit.threshold else {
      return "there is no data for \(silence), and this silence has had its alert."
    }
    return "there is no data for \(silence), and an alert opens with"
      + " \(NumberText.count(habit.threshold, "day")): \(habit.words)."
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

extension SilenceExplanation.Habit {
  /// The habit in words: `the longest pause of the last 90 days was 3 days`.
  var words: String {
    let looked = "of \(NumberText.count(value.days, "day"))"
    guard value.longestPause > 0 else { return "there was no pause \(looked) before" }
    return "the longest of \(NumberText.count(value.pauses.count, "pause")) \(looked) before was"
      + " \(NumberText.count(value.longestPause, "day"))"
  }
}
