import CVigil
import VigilAdherence
import VigilDetection
import VigilModel

// A run finds out from the rows of all persons whether what brings them in was broken. Here that can be done where these
// rows wait for their evaluation; elsewhere the caller says so.
extension Evaluator {
  func setBrokenDays(of table: InputTable, _ ordinals: [Int32]) throws(Failure) {
    guard waiting.isEmpty, ended.isEmpty else {
      throw .order("the days with a broken feed come before the first observations")
    }
    var days: Set<Day> = []
    for ordinal in ordinals { days.insert(try calendarDay(ordinal)) }
    switch table {
    case .observations: givenBrokenDays.observations = days
    case .doses: givenBrokenDays.doses = days
    default: throw .argument("only the feeds of observations and of doses can be broken")
    }
  }

  /// The days with a broken feed that were given, or else those that the waiting rows show.
  ///
  /// - Parameter window: The days that are evaluated.
  func brokenDays(in window: FoldWindow) -> BrokenDays {
    var found = BrokenDays(
      observations: givenBrokenDays.observations ?? [], doses: givenBrokenDays.doses ?? [])
    guard !isTogether, ended.isEmpty else { return found }
    if givenBrokenDays.observations == nil, let limit = thresholds.inactivity?.feedLimit {
      let judged = window.loaded.lowerBound...window.folded.upperBound
      let history = senders(on: FeedHistory.days(for: judged))
      found.observations = Set(history.brokenDays(in: judged, limit: limit))
    }
    if givenBrokenDays.doses == nil, followsDoses,
      let limit = thresholds.adherenceMetric?.doses?.feedLimit
    {
      let feed = DoseFeed(doseSenders(on: DoseFeed.days(for: window.loaded)))
      found.doses = Set(feed.brokenDays(in: window.loaded, limit: limit))
    }
    return found
  }

  func takeBrokenDays() throws(Failure) -> ArrowArrayStream {
    guard let days else {
      throw .order("the days with a broken feed need the evaluated days; call vigil_set_days first")
    }
    guard !isTogether, ended.isEmpty else {
      throw .order(
        "the days with a broken feed are found in the rows of all persons, before any is evaluated; do without"
          + " vigil_set_together, and ask before vigil_finish")
    }
    var table = BrokenDayTable(
      brokenDays(in: FoldWindow(evaluating: days, thresholds: thresholds)))
    return table.take()
  }

  private func senders(on days: ClosedRange<Day>) -> FeedHistory {
    var senders = SenderCount(over: days)
    var (last, number): (UUID?, Int) = (nil, -1)
    for person in waiting.sorted(by: { $0.id < $1.id }) {
      guard person.days.contains(where: { days.contains(Day(ordinal: $0)) }) else { continue }
      // Two names may stand for one person.
      if person.id != last {
        number += 1
        if number == FeedHistory.mostPersons { break }
        last = person.id
      }
      for day in person.days { senders.add(person: number, Day(ordinal: day)) }
    }
    return FeedHistory(days: days, counts: senders.counts)
  }

  private func doseSenders(on days: ClosedRange<Day>) -> FeedHistory {
    var senders = SenderCount(over: days)
    let index = medications.indexed()
    let dosed = index.persons.sorted().lazy.compactMap { index[$0] }.filter(medications.isDosed)
    for (number, own) in dosed.prefix(FeedHistory.mostPersons).enumerated() {
      for row in own.doses {
        let dose = medications.doses.rows[Int(row)]
        if let time = dose.scheduledTime ?? dose.actualTime {
          senders.add(person: number, time.utcDay)
        }
      }
    }
    return FeedHistory(days: days, counts: senders.counts)
  }
}

extension StagedMedications {
  /// Whether a person has an active schedule of an active medication.
  fileprivate func isDosed(_ rows: MedicationIndex.Rows) -> Bool {
    let active = Set(
      rows.medications.lazy.map { medications[$0] }.filter { $0.isActive != false }.map(\.id))
    return rows.schedules.contains { row in
      schedules[row].isActive != false && active.contains(schedules[row].medication)
    }
  }
}
