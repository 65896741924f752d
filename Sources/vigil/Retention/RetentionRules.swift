import VigilModel
import VigilStorage

/// The times that rows are kept, by subject: `metrics 3y, queues 90d`.
struct RetentionRules: Hashable, Sendable {
  /// By subject; one that is missing is kept for ever.
  let ages: [RetentionSubject: Age]

  /// A number of days, weeks or years of the calendar.
  struct Age: Hashable, Sendable {
    let number: Int
    let unit: Unit

    enum Unit: Character {
      case days = "d"
      case weeks = "w"
      case years = "y"
    }

    /// The first day that stays.
    func before(_ today: Day) -> Day {
      switch unit {
      case .days: return today - number
      case .weeks: return today - 7 * number
      case .years:
        let now = today.components
        // Of a leap day, the day before.
        let day = min(now.day, now.month == 2 ? 28 : now.day)
        let year = String(now.year - number)
        let parts = [year, Self.twoDigits(now.month), Self.twoDigits(day)]
        return Day(parts.joined(separator: "-")) ?? today - 366 * number
      }
    }

    private static func twoDigits(_ number: Int) -> String {
      (number < 10 ? "0" : "") + "\(number)"
    }
  }

  /// Nil for other text than `none`, or subjects with their ages, each once.
  init?(_ text: String) {
    var ages: [RetentionSubject: Age] = [:]
    if text != "none" {
      for rule in text.split(separator: ",", omittingEmptySubsequences: false) {
        let words = rule.split(separator: " ")
        guard words.count == 2, let subject = RetentionSubject(rawValue: String(words[0])),
          ages[subject] == nil, let match = words[1].wholeMatch(of: /([0-9]{1,4})([dwy])/),
          let number = Int(match.1), number > 0, let letter = match.2.first,
          let unit = Age.Unit(rawValue: letter), unit != .years || number <= 100
        else { return nil }
        ages[subject] = Age(number: number, unit: unit)
      }
    }
    self.ages = ages
  }

  func cutoffs(on today: Day) -> [RetentionCutoff] {
    RetentionSubject.allCases.compactMap { subject in
      ages[subject].map { RetentionCutoff(subject, before: $0.before(today)) }
    }
  }
}

/// The folder of archives.
struct ArchiveFolder: Hashable, Sendable {
  /// Nil where none is named.
  let path: String?

  init?(_ text: String) {
    guard !text.isEmpty, !text.contains("\0") else { return nil }
    path = text == "none" ? nil : text
  }
}
