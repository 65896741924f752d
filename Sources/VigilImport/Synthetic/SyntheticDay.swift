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

/// Generates a person's days in order.
///
/// Every metric varies around the person's own level and depends on the day before. The size of the
/// variation and the strength of the dependence follow wearers of the LifeSnaps data set
/// (datasets/README.md).
struct SyntheticLife {
  private let person: SyntheticPerson
  private let episodes: [SyntheticEpisode]
  private var generator: SeededGenerator
  private var stepsNoise = Wandering(memory: 0.2)
  private var movementNoise = Wandering(memory: 0.1)
  private var sleepNoise = Wandering(memory: 0.05)
  private var hrvNoise = Wandering(memory: 0.3)
  private var restingHeartRateNoise = Wandering(memory: 0.75)
  private var efficiencyNoise = Wandering(memory: 0.1)
  private var deepSleepNoise = Wandering(memory: 0.1)
  private var remSleepNoise = Wandering(memory: 0.1)
  private var breathingNoise = Wandering(memory: 0.4)
  /// 1 on a day with a workout, half of it on the next.
  private var strain = 0.0

  init(person: SyntheticPerson, episodes: [SyntheticEpisode], generator: SeededGenerator) {
    self.person = person
    self.episodes = episodes
    self.generator = generator
  }

  /// The next day; the first is day 0.
  mutating func next(day: Int, weekday: Int) -> SyntheticDay {
    let spread = person.variability
    let workout = nextWorkout(day: day, weekday: weekday)
    strain = workout == nil ? strain * 0.5 : 1

    let isWeekend = weekday == 0 || weekday == 6
    let shortNight = generator.uniform()
    let shortfall = generator.uniform(0.12...0.3)
    let lazyDay = generator.uniform()
    // Days around an episode are free of other disturbances, or its label would not explain them.
    let isQuiet = episodes.contains { $0.quietDays.contains(day) }
    let lostSleep = shortNight < 0.05 && !isQuiet ? shortfall : 0
    let activity =
      person.activityByWeekday[weekday] * (lazyDay < 0.04 && !isQuiet ? 0.55 : 1)

    let stepsDrift = stepsNoise.next(&generator)
    let movementDrift = 0.5 * stepsDrift + 0.85 * movementNoise.next(&generator)
    let sleep =
      1 + 0.12 * spread * sleepNoise.next(&generator) - lostSleep
      + (isWeekend ? person.weekendSleep : 0)
    let change = changes(on: day)
    let sleepDebt = bounded(1 - sleep * change[.sleepMinutes], 0...0.5)

    var values = SyntheticDay()
    values.workout = workout
    values.steps = bounded(
      person.steps * activity * (1 + 0.3 * spread * stepsDrift + 0.12 * strain)
        * change[.steps], 180...48_000)
    values.movementMinutes = bounded(
      person.movementMinutes * activity * (1 + 0.4 * spread * movementDrift)
        * change[.movementMinutes] + Double(workout?.minutes ?? 0) * 0.5, 0...600)
    values.sleepMinutes = bounded(
      person.sleepMinutes * sleep * change[.sleepMinutes], 75...780)
    values.hrv = bounded(
      person.hrv * (1 + 0.14 * spread * hrvNoise.next(&generator) - 0.3 * sleepDebt - 0.1 * strain)
        * change[.hrv], 6...210)
    values.restingHeartRate = bounded(
      person.restingHeartRate
        * (1 + 0.025 * spread * restingHeartRateNoise.next(&generator) + 0.06 * sleepDebt
          + 0.02 * strain) * change[.restingHeartRate], 38...130)
    values.sleepEfficiency = bounded(
      person.sleepEfficiency
        * (1 + 0.016 * spread * efficiencyNoise.next(&generator) - 0.1 * lostSleep)
        * change[.sleepEfficiency], 40...99)
    values.deepSleepMinutes = bounded(
      person.deepSleepMinutes * (1 + 0.15 * spread * deepSleepNoise.next(&generator))
        * change[.deepSleepMinutes], 4...values.sleepMinutes * 0.45)
    values.remSleepMinutes = bounded(
      values.sleepMinutes * person.remShare
        * (1 + 0.15 * spread * remSleepNoise.next(&generator)), 4...values.sleepMinutes * 0.4)
    values.awakeMinutes = values.sleepMinutes * (100 / values.sleepEfficiency - 1)
    values.activeCalories = values.steps * 0.034 + values.movementMinutes * 4.2
    values.breathingRate = bounded(
      person.breathingRate * (1 + 0.035 * spread * breathingNoise.next(&generator)), 9...26)
    return values
  }

  private mutating func nextWorkout(day: Int, weekday: Int) -> SyntheticWorkout? {
    let isUpToIt = generator.chance(0.8)
    let type = generator.element(person.workoutTypes)
    let minutes = generator.integer(20...75)
    let startMinute = person.workoutHour * 60 + generator.integer(0...119)
    guard isUpToIt, person.worksOutOnWeekday[weekday],
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

/// Noise with a memory: a first-order autoregressive process of standard deviation 1.
private struct Wandering {
  let memory: Double
  private let surprise: Double
  private var state = 0.0

  init(memory: Double) {
    self.memory = memory
    surprise = (1 - memory * memory).squareRoot()
  }

  mutating func next(_ generator: inout SeededGenerator) -> Double {
    state = memory * state + surprise * generator.normal()
    return state
  }
}
