/// The doses of one medication of a person of a block, day by day (specification, evidence-doses.md section 7).
///
/// ```swift
/// guard let day = Day("2026-06-03") else { return }
/// let injection = MedicationDays(
///   person: 0, medication: UUID(name: "injection"), counts: [.none], lastDay: nil,
///   rare: [RareDose(day: day, hasRecord: false, recordedOn: nil, nextDueOn: day + 28)],
///   firstTakenOn: nil, firstDueOn: nil)
/// print(injection.rare[0].day)  // 2026-06-03
/// ```
public struct MedicationDays: Hashable, Sendable {
  /// The index of the person in the block.
  public var person: Int
  public var medication: UUID
  /// One element a day, without the doses that are rare.
  public var counts: [DoseCounts]
  /// The last day on which one of its schedules can expect a dose; nil where no end is known.
  public var lastDay: Day?
  /// The doses that are rare, in the order of their days.
  public var rare: [RareDose]
  /// The first of the days on which a dose of it was taken; nil also where none of its doses is rare and some are due.
  public var firstTakenOn: Day?
  /// The first of the days on which a dose of it is due.
  public var firstDueOn: Day?

  public init(
    person: Int, medication: UUID, counts: [DoseCounts], lastDay: Day?, rare: [RareDose],
    firstTakenOn: Day?, firstDueOn: Day?
  ) {
    self.person = person
    self.medication = medication
    self.counts = counts
    self.lastDay = lastDay
    self.rare = rare
    self.firstTakenOn = firstTakenOn
    self.firstDueOn = firstDueOn
  }
}

/// The doses of a day that is far from the other days with doses of the medication.
public struct RareDose: Hashable, Sendable {
  /// The day on which they are due.
  public var day: Day
  /// Whether one of them has a record, be it one that says missed.
  public var hasRecord: Bool
  /// The day from which on nothing is missing: that of the record that says taken or skipped, or of a later dose that
  /// was taken; nil while there is none.
  public var recordedOn: Day?
  /// The next day on which a dose of the medication is due; nil where the days end before it.
  public var nextDueOn: Day?

  public init(day: Day, hasRecord: Bool, recordedOn: Day?, nextDueOn: Day?) {
    self.day = day
    self.hasRecord = hasRecord
    self.recordedOn = recordedOn
    self.nextDueOn = nextDueOn
  }
}

/// The medications of a block of persons, each by itself.
public struct MedicationDoseBlock: Hashable, Sendable {
  /// The days of `counts` of each medication.
  public var days: ClosedRange<Day>
  /// The medications of a person come one after the other.
  public var medications: [MedicationDays]

  public init(days: ClosedRange<Day>, medications: [MedicationDays] = []) {
    self.days = days
    self.medications = medications
  }
}
