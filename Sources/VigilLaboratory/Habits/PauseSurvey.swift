public import VigilDetection
public import VigilModel

/// Fits the pauses that are usual among people (specification, silence.md section 2) to people who come block after block.
///
/// ```swift
/// import VigilDetection
/// guard let first = Day("2026-01-01") else { return }
/// let signs = SignsOfLife(personCount: 20, days: first...(first + 99))
/// for person in 0..<20 {
///   for day in signs.days where day != first + 50 && day != first + 51 {
///     signs.addWorn(person: person, day: day, came: nil)
///   }
/// }
/// var survey = PauseSurvey(InactivitySettings(), days: signs.days)
/// survey.add(signs)
/// print(survey.people, survey.isFitted)  // 20 true
/// print((survey.prior ?? []).prefix(2))  // [4.061, 0.618]
/// ```
///
/// It keeps counts, and no day of a person.
public struct PauseSurvey {
  /// The fewest days of a person from the first to the last sign.
  public static let fewestDays = 60
  /// The fewest people that are fitted.
  public static let fewestPeople = 20

  private let settings: InactivitySettings
  private let days: ClosedRange<Day>
  private let broken: BrokenFeedDays
  /// The people with enough days.
  public private(set) var people = 0
  /// Their days with a sign or within a pause, in years.
  public private(set) var years = 0.0
  /// By length from 2 days, their pauses of at least that length.
  private var counts: [Int]

  /// The years of the profile's own prior in the new one, so that no length is impossible.
  private static let weight = 1.0

  /// - Parameters:
  ///   - settings: Those of the profile.
  ///   - days: The days that count.
  ///   - brokenFeed: The days with a broken feed among them.
  public init(
    _ settings: InactivitySettings, days: ClosedRange<Day>, brokenFeed: Set<Day> = []
  ) {
    self.settings = settings
    self.days = days
    broken = BrokenFeedDays(brokenFeed, among: days)
    counts = settings.prior.map { _ in 0 }
  }

  /// Adds the persons of a block who wear a device.
  public mutating func add(_ signs: SignsOfLife) {
    for person in 0..<signs.personCount {
      let end = min(days.upperBound, signs.days.upperBound) + 1
      guard let last = signs.lastSign(ofPerson: person, before: end), last >= days.lowerBound else {
        continue
      }
      var own = settings
      own.habitDays = last - days.lowerBound + 1
      guard signs.isWorn(person: person, inLast: own.habitDays, before: last + 1),
        let habit = SilenceHabit(
          ofPerson: person, silentSince: last + 1, signs: signs, broken: broken, settings: own),
        habit.days >= Self.fewestDays
      else { continue }
      people += 1
      years += Double(habit.days) / 365.25
      for index in counts.indices {
        counts[index] += habit.pauses.count { $0 >= index + 2 }
      }
    }
  }

  /// Whether enough people were added.
  public var isFitted: Bool { people >= Self.fewestPeople }

  /// By length from 2 to 20 days, the pauses a year of at least that length; nil where too few people were added.
  public var prior: [Double]? {
    guard isFitted else { return nil }
    return zip(counts, settings.prior).map { count, before in
      let rate = (Double(count) + Self.weight * before) / (years + Self.weight)
      return max((rate * 1000).rounded() / 1000, 0.001)
    }
  }
}
