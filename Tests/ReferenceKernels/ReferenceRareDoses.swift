/// Slow twin of the overdue doses of one medication that is taken rarely: evidence-doses.md section 7, day by day.
public struct ReferenceRareDoses: Sendable {
  /// A day on which one dose is due.
  ///
  /// Days are numbers.
  public struct Dose: Sendable {
    public var day: Int
    /// The day of its record that says taken or skipped.
    public var recorded: Int?
    /// Whether it has a record, be it one that says missed.
    public var hasRecord: Bool

    public init(day: Int, recorded: Int?, hasRecord: Bool) {
      self.day = day
      self.recorded = recorded
      self.hasRecord = hasRecord
    }
  }

  public struct Episode: Sendable, Equatable {
    public var due: Int
    public var opened: Int
    public var ended: Int?
    public var reason: String?

    public init(due: Int, opened: Int, ended: Int? = nil, reason: String? = nil) {
      self.due = due
      self.opened = opened
      self.ended = ended
      self.reason = reason
    }
  }

  /// In order.
  public var doses: [Dose]
  /// Days on which a dose was taken that belongs to none of these.
  public var otherTaken: [Int]
  public var lastDay: Int?
  public var unrecorded: Set<Int>

  public init(doses: [Dose], otherTaken: [Int], lastDay: Int?, unrecorded: Set<Int>) {
    self.doses = doses
    self.otherTaken = otherTaken
    self.lastDay = lastDay
    self.unrecorded = unrecorded
  }

  /// The due day of the dose that is overdue on a day, as is known on it.
  private func overdue(on today: Int) -> Int? {
    guard let dose = doses.last(where: { $0.day <= today }), today - dose.day >= 3 else {
      return nil
    }
    if let lastDay, today > lastDay { return nil }
    if !dose.hasRecord, unrecorded.contains(dose.day) { return nil }
    if let recorded = dose.recorded, recorded <= today { return nil }
    let taken = otherTaken + doses.compactMap(\.recorded)
    return taken.contains { $0 >= dose.day && $0 <= today } ? nil : dose.day
  }

  public func episodes(days: ClosedRange<Int>) -> [Episode] {
    var episodes: [Episode] = []
    for today in days {
      let due = overdue(on: today)
      if let last = episodes.last, last.ended == nil, due != last.due {
        let taken = otherTaken + doses.compactMap(\.recorded)
        let reason =
          taken.contains(today)
          ? "recovered" : doses.contains { $0.day == today } ? "superseded" : "no_data"
        episodes[episodes.count - 1].ended = today
        episodes[episodes.count - 1].reason = reason
      }
      if let due, episodes.last?.due != due { episodes.append(Episode(due: due, opened: today)) }
    }
    return episodes
  }
}
