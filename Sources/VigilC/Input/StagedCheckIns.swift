import VigilDetection
import VigilModel

/// Check-ins, the plans of them and the time zones of persons who are not evaluated yet.
struct StagedCheckIns {
  /// By id, a person as the caller names them.
  private(set) var names: [UUID: String] = [:]
  private var times: [UUID: [Timestamp]] = [:]
  private var plans: [UUID: CheckInPlan] = [:]
  private var zones: [UUID: String] = [:]

  /// The name of the table of plans among rows that cannot be used.
  static let plansTable = "check_in_plans"

  // Each takes a batch or, where it throws, nothing of it.

  mutating func addCheckIns(_ batch: RecordBatch) throws(Failure) {
    let cells = Cells(batch: batch, table: "check-ins")
    let persons = try persons(of: cells, "who checked in")
    let column = ["checked_in_at"]
    let instants = try cells.required(
      column, "the instant of the check-in", cells.instants(column))
    for (person, instant) in zip(persons, instants) {
      names[person.id] = person.name
      times[person.id, default: []].append(instant)
    }
  }

  /// - Returns: The persons whose plan cannot be used.
  mutating func addPlans(_ batch: RecordBatch) throws(Failure) -> [UUID] {
    let cells = Cells(batch: batch, table: "plans of check-ins")
    let persons = try persons(of: cells, "who is to check in")
    let intervals = try cells.required(
      ["interval_minutes"], "the minutes from one check-in to the next",
      cells.integers(["interval_minutes"]))
    let graces = try cells.integers(["grace_minutes"])
    let starts = try cells.required(
      ["starts_at"], "the instant at which the first interval begins",
      cells.instants(["starts_at"]))
    var unusable: [UUID] = []
    for (row, person) in persons.enumerated() {
      let plan = CheckInPlan(
        intervalMinutes: intervals[row], graceMinutes: graces[row] ?? 0, startsAt: starts[row])
      guard plan.isUsable else {
        unusable.append(person.id)
        continue
      }
      names[person.id] = person.name
      plans[person.id] = plan
    }
    return unusable
  }

  mutating func addZones(_ batch: RecordBatch) throws(Failure) {
    let cells = Cells(batch: batch, table: "time zones")
    let persons = try persons(of: cells, "whose time zone it is")
    let names = try cells.texts(["timezone", "time_zone"])
    _ = try batch.requiredColumn(["timezone", "time_zone"], "the time zone of a person")
    for (person, name) in zip(persons, names) { zones[person.id] = name }
  }

  private func persons(
    of cells: Cells, _ meaning: String
  ) throws(Failure) -> [(id: UUID, name: String)] {
    let names = StagedRows.Names.person
    let ids = try cells.required(names, meaning, cells.ids(names))
    return zip(ids, try cells.texts(names)).map { ($0, $1 ?? $0.lowercased) }
  }

  // MARK: Persons

  var isEmpty: Bool { names.isEmpty }

  /// The check-ins of a person in their time zone, which is UTC where it is not known; nil for one without any.
  ///
  /// - Parameter last: The last evaluated day.
  func history(of person: UUID, through last: Day, zones catalog: ZoneCatalog) -> CheckInHistory? {
    // Local days begin before those of UTC, and end after them.
    let end = (last + 2).midnight
    let checkIns = CheckIns(
      times: (times[person] ?? []).filter { $0 <= end }.sorted(), plan: plans[person])
    guard !checkIns.isEmpty else { return nil }
    return CheckInHistory(
      checkIns,
      zone: zones[person].flatMap { catalog.rules(of: $0) } ?? ZoneRules(offsetSeconds: 0))
  }

  /// Removes the rows of persons who are evaluated.
  mutating func remove(_ persons: [UUID]) {
    for person in persons {
      names[person] = nil
      times[person] = nil
      plans[person] = nil
      zones[person] = nil
    }
  }
}
