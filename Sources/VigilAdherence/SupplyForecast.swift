public import VigilModel

/// The evaluated days on which a medication has to be refilled soon (specification, adherence.md section 4).
public struct SupplyForecast: Hashable, Sendable {
  public var user: UUID
  public var medication: UUID
  /// The evaluated days of which the count says something; nil where it is later than all of them.
  public var days: ClosedRange<Day>?
  /// The days of these on which a refill is due, in order.
  public var due: [RefillDue]

  public init(user: UUID, medication: UUID, days: ClosedRange<Day>?, due: [RefillDue] = []) {
    self.user = user
    self.medication = medication
    self.days = days
    self.due = due
  }

  /// Returns what it says of `first` and later days.
  public func since(_ first: Day) -> SupplyForecast {
    var rest = self
    rest.days = days.flatMap {
      $0.upperBound < first ? nil : max(first, $0.lowerBound)...$0.upperBound
    }
    rest.due = due.filter { $0.day >= first }
    return rest
  }
}

/// The insight that a medication has to be refilled; its severity is always attention.
///
/// ```swift
/// guard let day = Day("2026-06-30") else { return }
/// let refill = RefillDue(
///   user: UUID(name: "anna"), medication: UUID(name: "tablets"), day: day, daysLeft: 6.5)
/// print(refill.insight.rule.rawValue)  // refill_due
/// ```
public struct RefillDue: Hashable, Sendable {
  public var user: UUID
  public var medication: UUID
  public var day: Day
  /// The days after `day` that the units last; nil where no use is expected.
  public var daysLeft: Double?

  public init(user: UUID, medication: UUID, day: Day, daysLeft: Double?) {
    self.user = user
    self.medication = medication
    self.day = day
    self.daysLeft = daysLeft
  }

  /// The insight as a row of `trend_insights`.
  public var insight: TrendInsight {
    TrendInsight(
      user: user, pillar: .adherence, day: day, rule: .refillDue, coverage: 1, confidence: 1,
      medication: medication, daysLeft: daysLeft)
  }
}
