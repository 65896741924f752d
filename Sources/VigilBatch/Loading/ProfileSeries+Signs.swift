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
      readsAllDoses || hasStoredSilence(person)
        || signs.isSilent(person: person, forDays: settings.minDays, endingSince: first)
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
  ///   - medications: The medications of the persons by themselves.
  ///   - broken: Days on which the feed of doses is broken.
  func unrecordedDays(
    of doses: DoseBlock?, _ medications: [MedicationDays] = [], broken: Set<Day>
  ) -> UnrecordedDays {
    var days = UnrecordedDays(broken: broken)
    guard let doses, let signs, let settings = profile.thresholds.inactivity else { return days }
    // A silent day has no record of any dose; that it is one matters where some dose has none.
    let rare = Set(
      medications.lazy.filter { $0.rare.contains { !$0.hasRecord } }.map(\.person))
    for person in persons.indices
    where sensitivities.personal[person]?[.inactivity] != .off
      && (rare.contains(person)
        || doses.days(ofPerson: person).contains(where: { $0.isObservation && !$0.hasRecord }))
    {
      let silent = UnrecordedDays.silentDays(ofPerson: person, signs, by: settings)
      if !silent.isEmpty { days.silent[person] = silent }
    }
    return days
  }

  private func hasStoredSilence(_ person: Int) -> Bool {
    profile.silences.indices.contains {
      storedSilences[person * profile.silences.count + $0] != nil
    }
  }
}
