import Foundation

/// The way in which a simulated person takes their doses.
///
/// ```swift
/// let forgetful = DoseHabit.Kind.forgetful.habit
/// print(forgetful.missedShare, forgetful.dosesADay)  // 0.1 1
/// ```
public struct DoseHabit: Hashable, Sendable {
  /// The share of the doses that are missed in the long run, on weekdays; from 0 to below 1.
  public var missedShare: Double
  /// The odds of a miss after a day that was missed, as a multiple of those after one that was not.
  public var repeating: Double
  /// Doses of each day on which there are any.
  public var dosesADay: Int
  /// Days from one with doses to the next: 1 or 7.
  public var everyDays: Int
  /// The odds of a miss on Saturdays and Sundays, as a multiple of those of other days.
  public var weekendOdds: Double

  public init(
    missedShare: Double, repeating: Double = DoseHabit.someRepeating, dosesADay: Int = 1,
    everyDays: Int = 1, weekendOdds: Double = 1
  ) {
    self.missedShare = missedShare
    self.repeating = repeating
    self.dosesADay = dosesADay
    self.everyDays = everyDays
    self.weekendOdds = weekendOdds
  }

  /// With 10 % missed, a miss follows a missed day in 17 %.
  public static let someRepeating = 2.0
  /// With 10 % missed, a miss follows a missed day in 31 %: lapses of days.
  public static let muchRepeating = 5.4

  /// Kinds of people, of whom none is rare.
  public enum Kind: String, CaseIterable, Sendable {
    case never = "never misses"
    case seldom = "misses 3 %"
    case forgetful = "misses 10 %"
    case often = "misses 30 %"
    case lapses = "misses 10 %, in lapses of days"
    case weekends = "misses 10 %, more at weekends, 2 doses a day"
    case several = "misses 5 %, 4 doses a day"
    case weekly = "misses 5 %, a dose a week"

    public var habit: DoseHabit {
      switch self {
      case .never: DoseHabit(missedShare: 0)
      case .seldom: DoseHabit(missedShare: 0.03)
      case .forgetful: DoseHabit(missedShare: 0.1)
      case .often: DoseHabit(missedShare: 0.3)
      case .lapses: DoseHabit(missedShare: 0.1, repeating: DoseHabit.muchRepeating)
      case .weekends: DoseHabit(missedShare: 0.1, dosesADay: 2, weekendOdds: 4)
      case .several: DoseHabit(missedShare: 0.05, dosesADay: 4)
      case .weekly: DoseHabit(missedShare: 0.05, everyDays: 7)
      }
    }
  }

  /// The log odds of a miss on a weekday after a day without one, so that `missedShare` are missed in the long run.
  var logOdds: Double {
    guard missedShare > 0 else { return -.infinity }
    var (low, high) = (-20.0, 20.0)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if Self.share(atLogOdds: middle, repeating: repeating) < missedShare {
        low = middle
      } else {
        high = middle
      }
    }
    return (low + high) / 2
  }

  /// The share of missed days of a chain of days.
  private static func share(atLogOdds logOdds: Double, repeating: Double) -> Double {
    let (first, next) = (Self.probability(logOdds), Self.probability(logOdds + log(repeating)))
    return first / (1 + first - next)
  }

  static func probability(_ logOdds: Double) -> Double { 1 / (1 + exp(-logOdds)) }
}
