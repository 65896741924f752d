/// The way in which a simulated person wears and synchronises a device.
///
/// ```swift
/// let habit = WearHabit.Kind.weekends.habit
/// print(habit.weekendsOff, habit.pausesAYear)  // 0.9 0.0
/// ```
public struct WearHabit: Hashable, Sendable {
  /// The share of the days that are left out, each for itself.
  public var singleDaysOff = 0.0
  /// The share of the weekends that are left out.
  public var weekendsOff = 0.0
  /// Holidays a year on which the device stays at home, of 5 to 14 days.
  public var holidaysAYear = 0.0
  /// Pauses a year of at least 2 days whose lengths are those of people in public data.
  ///
  /// It is the mean over people: some make many and others few.
  public var pausesAYear = 0.0
  /// The rows of this many days come on the last of them; 1 where each day's come at once.
  public var syncDays = 1
  /// Whether they come after the night of the day before, and not before it.
  public var syncsInTheEvening = true

  public init() {}

  /// Kinds of people, of whom none is rare.
  public enum Kind: String, CaseIterable, Sendable {
    case always = "wears it each day"
    case singleDays = "leaves out one day in eight"
    case weekends = "leaves out nine weekends in ten"
    case syncing = "synchronises once a week, in the morning"
    case holidays = "leaves it at home on two holidays a year"
    case pausing = "pauses as people in public data do"
    case syncingInTheEvening = "synchronises once a week, in the evening"

    /// All but those whose rows come so that no rule of days knows their habit.
    public static let usual = allCases.filter { $0 != .syncingInTheEvening }

    public var habit: WearHabit {
      var habit = WearHabit()
      switch self {
      case .always: break
      case .singleDays: habit.singleDaysOff = 0.125
      case .weekends: habit.weekendsOff = 0.9
      case .syncing:
        habit.syncDays = 7
        habit.syncsInTheEvening = false
      case .syncingInTheEvening: habit.syncDays = 7
      case .holidays: habit.holidaysAYear = 2
      case .pausing: habit.pausesAYear = 6.3
      }
      return habit
    }
  }
}
