import VigilAdherence
import VigilDetection
import VigilModel

extension ProfileSeries {
  /// Adds the days on which doses were taken or skipped to the signs of life of their persons.
  ///
  /// Of a person whose metric rows alone decide, doses are not looked at: they are many, and change nothing.
  ///
  /// - Parameter medications: The rows of the same persons, after the metric rows and the stored episodes.
  func addDoses(of medications: MedicationRows) {
    guard let signs, let settings = profile.thresholds.inactivity else { return }
    let first = profile.window.folded.lowerBound
    let matters = persons.indices.map { person in
      signs.isSilent(person: person, forDays: settings.openAfterDays, endingSince: first)
        || hasStoredSilence(person)
    }
    guard matters.contains(true) else { return }
    medications.forEachIntake(ofPersonsWhere: { matters[$0] }) { person, day in
      signs.add(person: person, day: day)
    }
  }

  /// The days on which doses without a record are no misses.
  ///
  /// - Parameters:
  ///   - doses: The doses of the persons; nil where they are not weighed.
  ///   - broken: Days on which the feed of doses is broken.
  func unrecordedDays(of doses: DoseBlock?, broken: Set<Day>) -> UnrecordedDays {
    var days = UnrecordedDays(broken: broken)
    guard let doses, let signs, let settings = profile.thresholds.inactivity else { return days }
    for person in persons.indices
    where sensitivities.personal[person]?[.inactivity] != .off
      && doses.days(ofPerson: person).contains(where: { $0.isObservation && !$0.hasRecord })
    {
      let silent = UnrecordedDays.silentDays(ofPerson: person, signs, block, by: settings)
      if !silent.isEmpty { days.silent[person] = silent }
    }
    return days
  }

  private func hasStoredSilence(_ person: Int) -> Bool {
    profile.silences.indices.contains {
      storedSilences[person * profile.silences.count + $0] != nil
    }
  }

  /// Fills in the silent days of one series.
  ///
  /// - Parameters:
  ///   - silent: Days up to the last loaded one.
  ///   - place: The place of the series among those of the profile.
  ///   - instant: The time now, by which deadlines of check-ins have passed or not; nil where all have.
  func fill(_ silent: SilentDays, ofSeries place: Int, asOf instant: Timestamp? = nil) {
    if profile.silences[place].metric == .inactivity {
      if let signs { silent.fill(from: signs) }
      return
    }
    silent.reset(personCount: persons.count)
    for (person, history) in checkIns.histories {
      history.forEachOverdueDay(in: silent.days, asOf: instant) {
        silent.set(person: person, day: $0, since: $1)
      }
    }
  }
}
