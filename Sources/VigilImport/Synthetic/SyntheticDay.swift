import VigilDetection
import VigilModel

/// The true values of one person on one day; devices round them.
struct SyntheticDay {
  var steps = 0.0
  var sleepMinutes = 0.0
  var hrv = 0.0
  var restingHeartRate = 0.0
  var sleepEfficiency = 0.0
  var movementMinutes = 0.0
  var deepSleepMinutes = 0.0
  var remSleepMinutes = 0.0
  var awakeMinutes = 0.0
  var activeCalories = 0.0
  var breathingRate = 0.0
  var workout: SyntheticWorkout?
}

struct SyntheticWorkout {
  var type: String
  var startMinute: Int
  var minutes: Int
}

/// Gives a person's days in order: what `SyntheticPopulation` has drawn, with the episodes, the metrics that follow
/// from others, and the workouts.
struct SyntheticLife {
  private let person: SyntheticPerson
  private let usual: ObservationBlock
  private let episodes: [SyntheticEpisode]
  private var generator: SplitMix64

  /// - Parameter usual: The person's days without the episodes.
  init(
    person: SyntheticPerson, usual: ObservationBlock, episodes: [SyntheticEpisode],
    generator: SplitMix64
  ) {
    self.person = person
    self.usual = usual
    self.episodes = episodes
    self.generator = generator
  }

  /// The next day; the first is day 0.
  mutating func next(day: Int, weekday: Int) -> SyntheticDay {
    let change = changes(on: day)
    func value(_ metric: SyntheticMetric, _ range: ClosedRange<Double>) -> Double {
      bounded(
        usual.series(person: 0, metric: metric.rawValue)[day] * change[metric], range)
    }

    var values = SyntheticDay()
    values.steps = value(.steps, 180...48_000)
    values.movementMinutes = value(.movementMinutes, 0...600)
    values.sleepMinutes = value(.sleepMinutes, 75...780)
    values.hrv = value(.hrv, 6...210)
    values.restingHeartRate = value(.restingHeartRate, 38...130)
    values.sleepEfficiency = value(.sleepEfficiency, 40...99)
    values.deepSleepMinutes = value(.deepSleepMinutes, 4...values.sleepMinutes * 0.45)
    values.remSleepMinutes = bounded(
      values.sleepMinutes * person.remShare * (1 + 0.15 * generator.normal()),
      4...values.sleepMinutes * 0.4)
    values.awakeMinutes = min(
      values.sleepMinutes * (100 / values.sleepEfficiency - 1), 1380 - values.sleepMinutes)
    values.activeCalories = values.steps * 0.034 + values.movementMinutes * 4.2
    values.breathingRate = bounded(
      usual.series(person: 0, metric: SyntheticPopulation.breathingRate)[day], 9...26)
    values.workout = nextWorkout(day: day, weekday: weekday, values)
    return values
  }

  /// A workout of at most the minutes of movement of its day.
  private mutating func nextWorkout(
    day: Int, weekday: Int, _ values: SyntheticDay
  ) -> SyntheticWorkout? {
    let type = generator.element(person.workoutTypes)
    let wanted = generator.integer(20...75)
    let startMinute = person.workoutHour * 60 + generator.integer(0...119)
    let minutes = min(wanted, Int(values.movementMinutes))
    guard minutes >= 15, person.worksOutOnWeekday[weekday],
      !episodes.contains(where: { $0.quietDays.contains(day) })
    else { return nil }
    return SyntheticWorkout(type: type, startMinute: startMinute, minutes: minutes)
  }

  private func changes(on day: Int) -> Changes {
    var changes = Changes()
    for episode in episodes where episode.days.contains(day) {
      changes.factors[episode.metric.rawValue] *= 1 + episode.change
    }
    return changes
  }

  /// The factor of each metric.
  private struct Changes {
    var factors = SIMD8<Double>(repeating: 1)

    subscript(metric: SyntheticMetric) -> Double { factors[metric.rawValue] }
  }
}
