import VigilBatch
import VigilDetection
import VigilLaboratory
import VigilModel

/// The pauses and the doses of the people of a database.
struct HabitSurvey {
  /// Nil where the profile does not follow silence.
  private(set) var pauses: PauseSurvey?
  /// Nil where the profile does not weigh missed doses.
  private(set) var doses: DoseSurvey?

  init(of profile: Thresholds, days: ClosedRange<Day>, brokenFeed: Set<Day>) {
    pauses = profile.inactivity.map { PauseSurvey($0, days: days, brokenFeed: brokenFeed) }
    doses = profile.adherenceMetric?.doses == nil ? nil : DoseSurvey()
  }

  mutating func add(_ batch: HabitReading.Batch) {
    if let signs = batch.signs { pauses?.add(signs) }
    for person in batch.doses { doses?.add(person) }
  }

  /// The profile with the habits of these people as its priors, where they are enough.
  func fitted(_ profile: Thresholds) -> Thresholds {
    var fitted = profile
    if let prior = pauses?.prior { fitted.inactivity?.prior = prior }
    guard let doses, let index = fitted.metrics.firstIndex(where: { $0.doses != nil }),
      let before = fitted.metrics[index].doses
    else { return fitted }
    fitted.metrics[index].doses?.doses = doses.fitted(before.doses)
    return fitted
  }

  /// The people behind the priors, for the new file.
  func note(in calibration: inout Calibration) {
    calibration.pauses = pauses.map { .init(count: $0.people, areEnough: $0.isFitted) }
    calibration.doses = doses.map { .init(count: $0.people, areEnough: $0.isFitted) }
  }
}
