public import VigilModel

extension MedicationRows {
  /// Puts what earlier runs saw of the schedules into the block, and finds what is new.
  ///
  /// A schedule that is not what it was gets a version that is valid from the first day of its person
  /// that no run has evaluated, or from its start date where that has changed and is earlier; versions
  /// from later days give way to it. The first version of a schedule is valid from ever
  /// (specification, adherence.md section 1).
  ///
  /// - Parameter firstDay: The first day of this run, for a person without an evaluated day.
  /// - Returns: What `schedule_versions` does not hold yet.
  public func takeVersions(evaluatingFrom firstDay: Day) throws -> [StoredScheduleVersion] {
    var changes: [StoredScheduleVersion] = []
    for schedule in schedules {
      let known = versions[schedule.id] ?? []
      guard let last = known.last else {
        changes.append(try stored(schedule, from: StoredScheduleVersion.always))
        continue
      }
      guard last.schedule != schedule else {
        add(known)
        continue
      }
      let user = users[schedule.medication]
      var from = user.flatMap { lastEvaluatedDays[$0] }.map { $0 + 1 } ?? firstDay
      if schedule.startDate != last.schedule.startDate { from = min(from, schedule.startDate) }
      add(known.filter { $0.validFrom < from } + [Version(validFrom: from, schedule: schedule)])
      changes.append(try stored(schedule, from: from))
      for version in known where version.validFrom > from {
        changes.append(try stored(schedule, from: version.validFrom))
      }
    }
    return changes
  }

  private func stored(_ schedule: Schedule, from day: Day) throws -> StoredScheduleVersion {
    StoredScheduleVersion(
      schedule: schedule.id, validFrom: day,
      row: try ScheduleJSON.text(of: schedule, zones: zones))
  }

  private func add(_ versions: [Version]) {
    for version in versions {
      block.add(ScheduleVersion(validFrom: version.validFrom, row: version.schedule))
    }
  }
}
