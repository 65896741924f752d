import VigilModel
public import VigilStorage

/// The reason why a run evaluates nothing.
public struct BatchError: Error, Sendable, Hashable, CustomStringConvertible {
  public var code: Code
  /// The reason and its place, without any value of a person.
  public var message: String
  /// The remedy; nil where there is none to name.
  public var remedy: Remedy?

  /// The message with its advice; other remedies are codes, which the caller words.
  public var description: String {
    guard let advice = remedy?.advice else { return message }
    return "\(message); \(advice)"
  }

  public enum Code: Sendable, Hashable, CaseIterable {
    /// There is nothing to evaluate where something has to be.
    case noInput
    /// The database has none of the metrics of the thresholds, or not as numbers.
    case noMetric
    /// More rows of the input cannot be used than the limit allows.
    case tooManyUnusableRows
    /// The clock is behind the newest recorded run, so that the day or due times may be wrong.
    case clockSetBack
    /// The candidate is the profile of the run.
    case ownCandidate
    /// It would be the first to notify, of alerts that have been active since shadow nights.
    case neverNotified
    /// The person to evaluate is none of the database.
    case unknownPerson
    /// Other evaluations kept on changing the same person.
    case overtaken
    /// One person was to be evaluated before the first night.
    case noNight
  }

  init(_ code: Code, _ message: String, remedy: Remedy? = nil) {
    self.code = code
    self.message = message
    self.remedy = remedy
  }

  /// Without a single row every episode would look as if its data had been taken back.
  static func noInput(in days: ClosedRange<Day>, of database: String) -> BatchError {
    BatchError(
      .noInput,
      "wearable_daily_metrics in \(database) has no row from \(days.lowerBound) to"
        + " \(days.upperBound); nothing was evaluated",
      remedy: .restoreInput)
  }

  static func noMedication(of database: String) -> BatchError {
    BatchError(
      .noInput, "medications in \(database) has no row; nothing was evaluated",
      remedy: .restoreInput)
  }

  static func ownCandidate(_ profile: Profile) -> BatchError {
    BatchError(
      .ownCandidate,
      "the candidate \(profile.id) is the profile of the run; nothing was evaluated",
      remedy: "give another candidate, or none")
  }

  static func neverNotified(_ alerts: Int, of database: String) -> BatchError {
    BatchError(
      .neverNotified,
      "\(database) holds \(alerts) active \(alerts == 1 ? "alert" : "alerts") of shadow nights and has"
        + " never sent a notification; a live run would notify of all at once, so nothing was"
        + " evaluated",
      remedy: .countAlertsAsNotified)
  }

  static func unknownPerson(in database: String) -> BatchError {
    BatchError(
      .unknownPerson, "\(database) has no person with this id; nothing was evaluated",
      remedy: "give the id of a person of this database")
  }

  static func noNight(in database: String) -> BatchError {
    BatchError(
      .noNight,
      "\(database) has no profile yet, because no night was evaluated; nothing was evaluated",
      remedy: "evaluate a night first")
  }

  static func overtaken(in database: String) -> BatchError {
    BatchError(
      .overtaken, "\(database): other processes kept on changing this person; nothing was written",
      remedy: "try again in a moment")
  }

  static func dayByClockSetBack(_ setback: ClockSetback, of database: String) -> BatchError {
    BatchError(
      .clockSetBack,
      "\(setback) in \(database); nothing was evaluated, as yesterday by this clock may be the wrong"
        + " day",
      remedy: .setClockOrNameDay)
  }

  static func dueTimesByClockSetBack(_ setback: ClockSetback, of database: String) -> BatchError {
    BatchError(
      .clockSetBack,
      "\(setback) in \(database); nothing was evaluated, as due times of notifications by this clock"
        + " may be wrong", remedy: ClockSetback.remedy)
  }
}
