import Foundation
public import VigilDetection

/// Fits the share of missed doses that is usual among people (specification, evidence-doses.md section 2) to people who come
/// one after the other.
///
/// ```swift
/// let survey = DoseSurvey()
/// print(survey.people, survey.isFitted)  // 0 false
/// ```
///
/// It keeps a few sums of each person, and no day.
public struct DoseSurvey {
  /// The fewest days with doses of a person.
  public static let fewestDays = 60
  /// The fewest people that are fitted.
  public static let fewestPeople = 20

  private var shares: [Share] = []
  private var together = Together()

  /// The share of missed doses of one person.
  private struct Share {
    var value: Double
    /// The square of its standard error.
    var variance: Double
  }

  /// The sums that say how far the misses of one day come together.
  private struct Together {
    var people = 0
    var excess = 0.0
    var most = 0.0
  }

  public init() {}

  /// Adds one person.
  public mutating func add(_ series: DoseSeries) {
    let days = series.observations
    guard days.count >= Self.fewestDays else { return }
    let expected = Double(days.reduce(0) { $0 + $1.expected })
    let missed = Double(days.reduce(0) { $0 + $1.missed })
    // As in the pool of one person: a share is never quite 0.
    let share = (missed + Self.weak.missed) / (expected + Self.weak.missed + Self.weak.taken)
    var (squares, own) = (0.0, Together())
    for day in days {
      let (count, missed) = (Double(day.expected), Double(day.missed))
      let square = (missed - count * share) * (missed - count * share)
      squares += square
      guard day.expected > 1 else { continue }
      own.people += 1
      own.excess += square - count * share * (1 - share)
      own.most += count * (count - 1) * share * (1 - share)
    }
    shares.append(
      Share(value: missed / expected, variance: squares / (expected * expected)))
    guard own.people >= Self.fewestDays else { return }
    together.people += 1
    together.excess += own.excess
    together.most += own.most
  }

  private static let weak = (missed: 0.2, taken: 4.8)

  /// The people with enough days.
  public var people: Int { shares.count }

  /// The people with enough days of several doses, who are among `people`.
  public var peopleWithSeveralDoses: Int { together.people }

  /// Whether enough people were added.
  public var isFitted: Bool { people >= Self.fewestPeople }

  /// The weights of the prior, in doses.
  private static let weights = 1.0...50.0

  /// Returns the priors of these people; those of `before` where too few were added.
  ///
  /// The share is the mean over people. The weight follows from how much people differ, without what is chance in
  /// each of them.
  public func fitted(_ before: DoseEvidenceSettings.Doses) -> DoseEvidenceSettings.Doses {
    var fitted = before
    guard isFitted else { return fitted }
    let count = Double(people)
    let mean = min(max(shares.reduce(0) { $0 + $1.value } / count, 0.002), 0.998)
    let spread =
      shares.reduce(0) { $0 + ($1.value - mean) * ($1.value - mean) - $1.variance } / count
    let weight = spread > 0 ? mean * (1 - mean) / spread - 1 : Self.weights.upperBound
    let doses = min(max(weight, Self.weights.lowerBound), Self.weights.upperBound)
    fitted.priorMissed = max(Self.rounded(mean * doses), 0.01)
    fitted.priorTaken = max(Self.rounded((1 - mean) * doses), 0.01)
    if together.people >= Self.fewestPeople, together.most > 0 {
      fitted.dayPrior = min(max(Self.rounded(together.excess / together.most), 0), 1)
    }
    return fitted
  }

  private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
