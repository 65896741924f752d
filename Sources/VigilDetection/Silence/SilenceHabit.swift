public import VigilModel

/// The pauses that are usual for a person before a silence begins, and the silent days with which it is worth an
/// alert (specification, silence.md section 2).
///
/// ```swift
/// guard let first = Day("2026-01-01") else { return }
/// let signs = SignsOfLife(personCount: 1, days: first...(first + 89))
/// for day in signs.days { signs.addWorn(person: 0, day: day, came: nil) }
/// let habit = SilenceHabit(
///   ofPerson: 0, silentSince: first + 90, signs: signs, broken: BrokenFeedDays(among: signs.days),
///   settings: InactivitySettings())
/// print(habit?.days ?? 0, habit?.threshold(InactivitySettings()) ?? 0)  // 90 4
/// ```
public struct SilenceHabit: Hashable, Sendable {
  /// The lengths of the pauses in days, ascending.
  public let pauses: [Int]
  /// The days on which a pause could have been seen.
  public let days: Int

  /// The longest pause; 0 where there is none.
  public var longestPause: Int { pauses.last ?? 0 }

  /// - Parameters:
  ///   - person: The index of the person.
  ///   - start: The first silent day.
  ///   - signs: The signs of `habitDays` before that, at least.
  ///   - broken: The days with a broken feed among them.
  ///   - settings: Those of the profile.
  /// - Returns: Nil where the person gave no sign on those days.
  /// - Complexity: O(`habitDays`).
  public init?(
    ofPerson person: Int, silentSince start: Day, signs: SignsOfLife, broken: BrokenFeedDays,
    settings: InactivitySettings
  ) {
    let looked = ((start - settings.habitDays)...(start - 1)).filter {
      signs.contains(person: person, day: $0)
    }
    guard let first = looked.first else { return nil }
    let comings = looked.map { signs.coming(person: person, day: $0) }
    let firstComing = comings.compactMap(\.self).min()
    // By day from the first sign on, the newest sign that arrives on it.
    var arriving = [Day?](repeating: nil, count: start - first + settings.maxLagDays)
    for (day, coming) in zip(looked, comings) {
      var arrival = day
      if let coming, let firstComing, coming > firstComing,
        (2...settings.maxLagDays).contains(coming - day)
      {
        arrival = coming
      }
      arriving[arrival - first] = max(arriving[arrival - first] ?? day, day)
    }
    var pauses: [Int] = []
    var absentDays = 0
    var absentUntil = first
    var newest: Day?
    for (offset, arrived) in arriving.enumerated() {
      guard let arrived else { continue }
      let arrival = first + offset
      if let newest {
        let length = broken.sound(from: newest + 1, to: arrival - 1)
        if length > settings.leftAfterDays {
          // Absences can overlap, and reach beyond the beginning of the silence.
          absentDays += broken.sound(
            from: max(newest, absentUntil) + 1, to: min(arrival, start) - 1)
          absentUntil = max(absentUntil, arrival - 1)
        } else if length > 0 {
          pauses.append(length)
        }
      }
      newest = newest.map { max($0, arrived) } ?? arrived
    }
    self.pauses = pauses.sorted()
    days = broken.sound(from: first, to: start - 1) - absentDays
  }

  private func count(atLeast length: Int) -> Double {
    Double(pauses.reduce(0) { $1 >= length ? $0 + 1 : $0 })
  }

  /// The pauses of at least `length` days that are expected in a year.
  ///
  /// - Parameters:
  ///   - length: 2 to 20 days.
  ///   - settings: Those of the profile.
  public func expected(atLeast length: Int, _ settings: InactivitySettings) -> Double {
    let shortest = InactivitySettings.shortestPause
    let years = Double(days) / 365.25
    let all = settings.weight + years
    // Those who seldom pause count less of the prior.
    let scale = min(
      1,
      (settings.weight * settings.prior[0] + count(atLeast: shortest)) / (all * settings.prior[0]))
    return (settings.weight * scale * settings.prior[length - shortest] + count(atLeast: length))
      / all
  }

  /// The silent days with which an alert opens.
  ///
  /// - Parameter settings: Those of the profile, adjusted to the person's sensitivity.
  public func threshold(_ settings: InactivitySettings) -> Int {
    (settings.minDays..<settings.maxDays)
      .first { expected(atLeast: $0, settings) <= settings.rate + 1e-9 } ?? settings.maxDays
  }
}
