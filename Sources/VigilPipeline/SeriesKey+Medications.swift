public import VigilAdherence
public import VigilModel

extension SeriesKey {
  /// The series of a medication that is not taken.
  public init(_ streak: MissedStreak) {
    self.init(
      user: streak.user, medication: streak.medication, metric: .missedStreak,
      pattern: .medication)
  }

  /// The series of a medication that has to be refilled.
  public init(_ refill: RefillDue) {
    self.init(
      user: refill.user, medication: refill.medication, metric: .refillDue, pattern: .medication)
  }

  /// The series of a medication that has to be replaced because it expires.
  public init(_ expiry: MedicationExpiry) {
    self.init(
      user: expiry.user, medication: expiry.medication, metric: .expiryDue, pattern: .medication)
  }
}
