import Foundation
import VigilModel

/// Writes the treatments of persons, one after the other, to the files of the five medication
/// tables and to `dose_labels.csv`.
final class SyntheticTreatmentWriter {
  static let fileNames = [
    "medications.csv", "schedules.csv", "dose_history.csv", "timezone_events.csv",
    "schedule_adjustments.csv", "dose_labels.csv",
  ]

  static let headers = [
    "id,user_id,name,dosage,form,is_active,start_date,end_date,created_at,is_deleted",
    "id,medication_id,type,reference_timezone,is_active,start_date,end_date,time_based_times,"
      + "time_based_days_of_week,time_based_flexibility_minutes,interval_based_hours,"
      + "interval_based_first_dose_time,interval_based_max_doses_per_day,"
      + "as_needed_min_interval_hours,as_needed_max_doses_per_day,created_at",
    "id,medication_id,schedule_id,status,scheduled_time,actual_time,recorded_timezone,created_at",
    "id,user_id,previous_timezone,new_timezone,transition_time,detection_method,user_confirmed,"
      + "created_at",
    "id,timezone_event_id,schedule_id,strategy,old_times,new_times,created_at",
    "user_id,medication_id,behaviour,first_day,last_day,taken_fraction,intended_level",
  ]

  struct Counts {
    var medications = 0
    var schedules = 0
    var doses = 0
    var trips = 0
    var behaviours = 0
  }

  private(set) var counts = Counts()
  private let data: SyntheticData
  private let days: ClosedRange<Day>
  private let zones: SyntheticZones
  private let files: [SyntheticTable]

  private var medications: SyntheticTable { files[0] }
  private var schedules: SyntheticTable { files[1] }
  private var doses: SyntheticTable { files[2] }
  private var events: SyntheticTable { files[3] }
  private var adjustments: SyntheticTable { files[4] }
  private var labels: SyntheticTable { files[5] }

  /// - Parameter files: Those of `fileNames`.
  init(data: SyntheticData, files: some Sequence<SyntheticTable>) {
    self.data = data
    days = data.endDate - (data.days - 1)...data.endDate
    zones = SyntheticZones(days: days)
    self.files = Array(files)
  }

  func write(_ person: SyntheticPerson, id: String) throws {
    let treatment = SyntheticTreatment(
      of: person, meanMedications: data.medications, seed: data.seed, days: days, zones: zones)
    // Time zones are recorded for medications only.
    guard !treatment.medications.isEmpty else { return }
    if let trip = treatment.trip { try write(trip, of: person, id: id) }
    for (index, medication) in treatment.medications.enumerated() {
      try write(medication, of: person, id: id)
      for schedule in medication.schedules {
        try write(schedule, of: medication, home: person.place)
        if let trip = treatment.trip { try writeAdjustments(of: schedule, trip, person) }
      }
      try writeDoses(of: index, treatment)
    }
    try writeLabels(of: treatment, id: id)
  }

  // MARK: Plans

  private func write(
    _ medication: SyntheticMedication, of person: SyntheticPerson, id: String
  ) throws {
    let product = medication.product
    let created = zones[person.place].start(of: medication.startDay) + 7 * 3600
    try medications.append(
      """
      \(medication.id.lowercased),\(id),\(product.name),\(product.dosage),\(product.form),\
      \(medication.isActive),\(medication.startDay),\(text(medication.endDay)),\
      \(Self.time(created)),\(medication.isDeleted)

      """)
    counts.medications += 1
  }

  private func write(
    _ schedule: SyntheticSchedule, of medication: SyntheticMedication, home: SyntheticPlace
  ) throws {
    var (type, columns) = ("", "")
    switch schedule.timing {
    case .daily(let times, let weekdays):
      type = "timeBased"
      let weekdays = weekdays.map { "\"[\($0.map(String.init).joined(separator: ","))]\"" }
      columns =
        "\(Self.list(times)),\(weekdays ?? ""),\(text(schedule.flexibilityMinutes)),,,,,"
    case .interval(let minutes, let maximum):
      type = "intervalBased"
      let hours = minutes % 60 == 0 ? "\(minutes / 60)" : "\(minutes / 60).5"
      columns = ",,,\(hours),\(Self.time(schedule.firstDose)),\(text(maximum)),,"
    case .asNeeded(let minHours, let maximum):
      type = "asNeeded"
      columns = ",,,,,,\(minHours),\(maximum)"
    }
    let start = zones[home].start(of: schedule.startDay)
    try schedules.append(
      """
      \(schedule.id.lowercased),\(medication.id.lowercased),\(type),\(home.rawValue),\
      \(schedule.endDay == nil),\(schedule.startDay),\(text(schedule.endDay)),\(columns),\
      \(Self.time(start + 7 * 3600))

      """)
    counts.schedules += 1
  }

  private func write(_ trip: SyntheticTrip, of person: SyntheticPerson, id: String) throws {
    for (index, event) in trip.events.enumerated() {
      let eventID = SyntheticTrip.eventID(index, of: person, seed: data.seed)
      try events.append(
        """
        \(eventID.lowercased),\(id),\(event.from.rawValue),\(event.to.rawValue),\
        \(Self.time(event.time)),\(trip.detection),\(trip.isConfirmed),\
        \(Self.time(event.time + 120))

        """)
    }
    counts.trips += 1
  }

  private func writeAdjustments(
    of schedule: SyntheticSchedule, _ trip: SyntheticTrip, _ person: SyntheticPerson
  ) throws {
    guard let adjustment = schedule.adjustment, let strategy = adjustment.strategy else { return }
    var old: [Int]?
    if case .daily(let times, _) = schedule.timing { old = times }
    for (index, event) in trip.events.enumerated() {
      let new = strategy == .custom ? adjustment.newTimes[index] : nil
      let eventID = SyntheticTrip.eventID(index, of: person, seed: data.seed)
      let id = UUID(name: "\(eventID.lowercased):\(schedule.id.lowercased)")
      try adjustments.append(
        """
        \(id.lowercased),\(eventID.lowercased),\(schedule.id.lowercased),\(strategy.rawValue),\
        \(old.map(Self.list) ?? ""),\(new.map(Self.list) ?? ""),\(Self.time(event.time + 300))

        """)
      if strategy == .custom { old = new }
    }
  }

  private func writeLabels(of treatment: SyntheticTreatment, id: String) throws {
    func write(
      _ behaviour: String, days: ClosedRange<Int>, medication: UUID? = nil, percent: Int?,
      level: AlertLevel? = nil
    ) throws {
      let first = treatment.days.lowerBound
      let fraction = percent.map { "\(Double($0) / 100)" } ?? ""
      try labels.append(
        """
        \(id),\(medication?.lowercased ?? ""),\(behaviour),\(first + days.lowerBound),\
        \(first + days.upperBound),\(fraction),\(text(level?.rawValue))

        """)
      counts.behaviours += 1
    }
    let habits = treatment.habits
    if habits.kind != .reliable {
      try write(habits.kind.rawValue, days: 0...data.days - 1, percent: habits.takenPercent)
    }
    for phase in habits.phases {
      try write(
        phase.kind.rawValue, days: phase.days, percent: phase.takenPercent,
        level: phase.intendedLevel)
    }
    for (medication, overuse) in zip(treatment.medications, treatment.overuse) {
      guard let overuse else { continue }
      try write("as_needed_overuse", days: overuse, medication: medication.id, percent: nil)
    }
  }

  // MARK: Doses

  private func writeDoses(of index: Int, _ treatment: SyntheticTreatment) throws {
    let medication = treatment.medications[index]
    var log = treatment.log(of: index)
    var ids = SyntheticDoseIDs(of: medication.id)
    for schedule in medication.schedules {
      log.log(
        schedule, upTo: days.upperBound, overuse: treatment.overuse[index], zones: zones)
      let namesSchedule = medication.namesSchedule || !schedule.timing.isAsNeeded
      let owner = Array(
        ",\(medication.id.lowercased),\(namesSchedule ? schedule.id.lowercased : ""),".utf8)
      for row in log.rows {
        try doses.append(count: 36) { ids.next().writeLowercased(to: $0) }
        try doses.append(owner)
        try doses.append(row.status.rawValue)
        try doses.append(byte: comma)
        if let scheduled = row.scheduled { try doses.append(time: scheduled) }
        try doses.append(byte: comma)
        if let actual = row.actual { try doses.append(time: actual) }
        try doses.append(byte: comma)
        try doses.append(row.place.rawValue)
        try doses.append(byte: comma)
        try doses.append(time: row.created)
        try doses.append(byte: UInt8(ascii: "\n"))
      }
      counts.doses += log.rows.count
    }
  }

  // MARK: Texts

  private func text(_ value: (some CustomStringConvertible)?) -> String {
    value.map(\.description) ?? ""
  }

  private static func list(_ times: [Int]) -> String {
    let texts = times.map { minutes in
      "\"\"\(twoDigits(minutes / 60)):\(twoDigits(minutes % 60))\"\""
    }
    return "\"[\(texts.joined(separator: ","))]\""
  }

  private static func time(_ instant: Int) -> String {
    let day = floorDivided(instant, by: 86_400)
    let second = instant - day * 86_400
    return "\(Day(ordinal: Int32(day)))T\(twoDigits(second / 3600))"
      + ":\(twoDigits(second / 60 % 60)):\(twoDigits(second % 60))Z"
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}

private let comma = UInt8(ascii: ",")
