import Foundation
import VigilDetection
import VigilModel

/// Writes persons, one after the other, to the files of a synthetic data set.
final class SyntheticDataWriter {
  private let data: SyntheticData
  private let firstDay: Day
  private let dayTexts: [[UInt8]]
  private let membership: SyntheticFamilies
  private let population: SyntheticPopulation
  private var families: Set<UUID> = []
  private var summary: SyntheticData.Summary
  private let files: [SyntheticTable]
  private let treatments: SyntheticTreatmentWriter

  private var users: SyntheticTable { files[0] }
  private var profiles: SyntheticTable { files[1] }
  private var members: SyntheticTable { files[2] }
  private var exclusions: SyntheticTable { files[3] }
  private var metrics: SyntheticTable { files[4] }
  private var sessions: SyntheticTable { files[5] }
  private var labels: SyntheticTable { files[6] }
  private var deviceLabels: SyntheticTable { files[7] }

  init(folder: String, data: SyntheticData, overwrites: Bool) throws {
    self.data = data
    let firstDay = data.endDate - (data.days - 1)
    self.firstDay = firstDay
    dayTexts = (0..<data.days).map { Array((firstDay + $0).description.utf8) }
    population = try SyntheticPopulation(seed: data.seed, days: firstDay...data.endDate)
    membership = SyntheticFamilies(seed: data.seed, familyCount: data.families)
    summary = SyntheticData.Summary(
      people: data.people, families: 0, files: SyntheticData.fileNames)
    files = try SyntheticData.fileNames.map {
      try SyntheticTable(name: $0, folder: folder, replaces: overwrites)
    }
    treatments = SyntheticTreatmentWriter(
      data: data, files: files.suffix(SyntheticTreatmentWriter.fileNames.count))
    for (file, header) in zip(files, Self.headers + SyntheticTreatmentWriter.headers) {
      try file.append(header + "\n")
    }
  }

  private static let headers = [
    "id,external_id,email,display_name,birth_date",
    "user_id,timezone,notify_in_app,notify_push,notify_email,champion_notify_email,"
      + "champion_notify_sms,is_champion,quiet_hours_start,quiet_hours_end,"
      + "quiet_hours_apply_critical",
    "family_id,user_id,role,invite_status",
    "subject_user_id,excluded_user_id",
    "user_id,metric_date,source,steps,sleep_minutes,hrv_ms,resting_hr,sleep_efficiency_pct,"
      + "movement_minutes,deep_sleep_minutes,rem_sleep_minutes,light_sleep_minutes,awake_minutes,"
      + "active_calories,breathing_rate",
    "user_id,metric_date,activity_type_name,started_at,ended_at",
    "user_id,metric_type,pattern_type,first_day,last_day,change_fraction,intended_level",
    "user_id,behaviour,first_day,last_day",
  ]

  /// Gives the files their names; before that, none of them is visible.
  func finish() throws -> SyntheticData.Summary {
    for file in files { try file.complete() }
    for file in files { try file.publish() }
    summary.families = families.count
    summary.medications = treatments.counts.medications
    summary.schedules = treatments.counts.schedules
    summary.doseRows = treatments.counts.doses
    summary.travellers = treatments.counts.trips
    summary.doseBehaviours = treatments.counts.behaviours
    return summary
  }

  func write(_ person: SyntheticPerson) throws {
    let id = person.id.lowercased
    try writePerson(person, id: id)
    var planning = SplitMix64(seed: data.seed, person: person.index, stream: 2)
    let traits = population.traits(of: person.index)
    let episodes = SyntheticEpisode.plan(
      person: person.index, traits, dayCount: data.days, generator: &planning)
    let devices = SyntheticDevices(
      episodes: episodes, dayCount: data.days, generator: &planning)
    try writeDays(
      of: person, id: id, usual: population.days(of: traits), episodes: episodes,
      devices: devices)
    for episode in episodes {
      try labels.append(
        "\(id),\(episode.metric.name),\(episode.metric.pattern.rawValue)"
          + ",\(firstDay + episode.days.lowerBound),\(firstDay + episode.days.upperBound)"
          + ",\(episode.change),\(episode.intendedLevel.rawValue)\n")
    }
    summary.episodes += episodes.count
    for period in devices.periods {
      try deviceLabels.append(
        "\(id),\(period.kind.rawValue),\(firstDay + period.days.lowerBound)"
          + ",\(firstDay + period.days.upperBound)\n")
    }
    summary.devicePeriods += devices.periods.count
    try treatments.write(person, id: id)
  }

  private func writePerson(_ person: SyntheticPerson, id: String) throws {
    let number = person.externalID
    try users.append(
      "\(id),\(number),\(number)@example.org,\(person.displayName),\(person.birthDate)\n")
    let quiet = person.hasQuietHours ? "22:00,07:00" : ","
    let isChampion = person.isChampion
    try profiles.append(
      "\(id),\(person.timezone),true,true,\(!isChampion),\(isChampion),false,\(isChampion),\(quiet),"
        + "false\n")
    let member = membership.membership(of: person)
    families.insert(member.family)
    try members.append(
      "\(member.family.lowercased),\(id),\(member.role.rawValue),\(member.inviteStatus.rawValue)\n")
    if let excluded = membership.excluded(by: person) {
      try exclusions.append("\(id),\(excluded.lowercased)\n")
    }
  }

  private func writeDays(
    of person: SyntheticPerson, id: String, usual: ObservationBlock, episodes: [SyntheticEpisode],
    devices: SyntheticDevices
  ) throws {
    let idBytes = Array(id.utf8)
    let sources = devices.sources.map { Array($0.utf8) }
    var life = SyntheticLife(
      person: person, usual: usual, episodes: episodes,
      generator: SplitMix64(seed: data.seed, person: person.index, stream: 3))
    let firstWeekday = firstDay.weekday
    for day in 0..<data.days {
      let values = life.next(day: day, weekday: (firstWeekday + day) % 7)
      let wear = devices.wear(on: day)
      if wear == .absent { continue }
      for source in devices.reporting(on: day) {
        try metrics.append(idBytes)
        try metrics.append(byte: comma)
        try metrics.append(dayTexts[day])
        try metrics.append(byte: comma)
        try metrics.append(sources[source])
        if wear == .notWorn {
          try metrics.append(",0,0,0.0,0,0,0,0,0,0,0,0,0.0\n")
        } else {
          try writeMetrics(
            values, hasNight: wear == .worn,
            offset: devices.isSecondDevice(source) ? devices.offset : SyntheticDevices.Offset())
        }
        summary.metricRows += 1
      }
      if wear == .worn || wear == .noNight, let workout = values.workout {
        try writeWorkout(workout, id: idBytes, day: day)
      }
    }
  }

  private func writeMetrics(
    _ values: SyntheticDay, hasNight: Bool, offset: SyntheticDevices.Offset
  ) throws {
    let file = metrics
    func field(_ value: Double) throws {
      try file.append(byte: comma)
      try file.append(Int(value.rounded()))
    }
    func nightField(_ value: Double) throws {
      if hasNight { try field(value) } else { try file.append(byte: comma) }
    }
    let sleep = (values.sleepMinutes * offset.sleep).rounded()
    let deep = (values.deepSleepMinutes * offset.sleep).rounded()
    let rem = (values.remSleepMinutes * offset.sleep).rounded()
    try field(values.steps * offset.steps)
    try nightField(sleep)
    try file.append(byte: comma)
    if hasNight { try file.append(tenthsOf: values.hrv * offset.heart) }
    try field(values.restingHeartRate * offset.heart)
    try nightField(values.sleepEfficiency)
    try field(values.movementMinutes * offset.steps)
    try nightField(deep)
    try nightField(rem)
    // Stages add up to the night.
    try nightField(sleep - deep - rem)
    try nightField(values.awakeMinutes)
    try field(values.activeCalories)
    try file.append(byte: comma)
    if hasNight { try file.append(tenthsOf: values.breathingRate) }
    try file.append(byte: UInt8(ascii: "\n"))
  }

  private func writeWorkout(_ workout: SyntheticWorkout, id: [UInt8], day: Int) throws {
    func time(_ minute: Int) -> String {
      func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
      return "T\(twoDigits(minute / 60)):\(twoDigits(minute % 60)):00Z"
    }
    let dayText = dayTexts[day]
    try sessions.append(id)
    try sessions.append(byte: comma)
    try sessions.append(dayText)
    try sessions.append(",\(workout.type),")
    try sessions.append(dayText)
    try sessions.append("\(time(workout.startMinute)),")
    try sessions.append(dayText)
    try sessions.append("\(time(workout.startMinute + workout.minutes))\n")
    summary.exerciseSessions += 1
  }
}

private let comma = UInt8(ascii: ",")
