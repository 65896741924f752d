import Foundation
import VigilAnalysis
import VigilDetection
import VigilLaboratory

/// `budget`: fails where a profile raises more false alarms, or finds fewer changes, than is promised.
struct BudgetCommand {
  static let usage =
    "budget [--profile NAME] [--thresholds FILE] [--population FILE] [--seed NUMBER]"

  /// 353 person-years in which nothing changes.
  private static let quietPeople = 300
  private static let mostFalseEvents = 1.0
  private static let changedPeople = 500
  /// Of each kind; 1,885 person-years together.
  private static let peopleWithDoses = 200
  private static let mostFalseDoseEpisodes = 0.1
  private static let longestStopUnfound = 3.0
  /// Of each kind; 1,414 person-years together.
  private static let peopleWithDevices = 200
  private static let mostFalseSilences = 0.5
  private static let longestSilenceUnreported = 4.0

  /// A kind of change, and the share of it that is found.
  private struct Promise {
    var change: String
    var plan: ChangePlan
    var share: Double
  }

  /// - Returns: Whether the budget is kept.
  func run(_ arguments: Arguments) async throws -> Bool {
    let seed = UInt64(try arguments.number("seed", default: 17))
    let detector = try Profiles.events(arguments, default: "v3")
    let population = try Shipped.population(arguments)
    let simulator = Simulator(population: population, seed: seed)
    var isKept = try await keepsRate(detector, simulator)
    let steps = ChangePlan(
      size: 1.5, length: 30, metrics: [population.index(of: "steps") ?? 0])
    var promises = [Promise(change: "1.5 SD in steps", plan: steps, share: 0.91)]
    if detector.thresholds.combined != nil {
      let several = ChangePlan(
        size: 1, length: 30, metrics: Set(population.metrics.indices), metricCount: 3)
      promises.append(Promise(change: "1 SD in three metrics", plan: several, share: 0.85))
    }
    for promise in promises {
      // The first promise that is broken must not hide the next.
      isKept = await keeps(promise, detector, simulator) && isKept
    }
    if let doses = try Profiles.doses(arguments, default: "v3") {
      isKept = await keepsDoses(doses, seed: seed) && isKept
    }
    if let silence = try Profiles.silence(arguments, default: "v3") {
      isKept = await keepsSilence(silence, seed: seed) && isKept
    }
    return isKept
  }

  /// Few false episodes of doses in people of all kinds together, and a stop is found at once.
  private func keepsDoses(_ detector: DoseDetector, seed: UInt64) async -> Bool {
    var studies: [QuietHabitStudy] = []
    for kind in DoseHabit.Kind.allCases {
      let corpus = await DoseCorpus(
        kind.habit, seed: seed, people: 0..<Self.peopleWithDoses, dayCount: Laboratory.quietDays)
      studies.append(await QuietHabitStudy(corpus, detector: detector))
    }
    let isCalm = keeps(
      QuietHabitStudy(joining: studies).rate(confidence: 0.99), of: "episodes of doses",
      atMost: Self.mostFalseDoseEpisodes, detector.name)
    let stopped = await DoseCorpus(
      DoseHabit.Kind.never.habit, seed: seed,
      people: Self.peopleWithDoses..<2 * Self.peopleWithDoses, dayCount: 260,
      change: { DoseChange(onset: 200 + $0 % 28, length: 28, missedShare: 1) })
    let delay = await DoseChangeStudy(stopped, detector: detector).delays.median.estimate
    return keeps(
      delay, of: "a stop of a dose a day found", promised: Self.longestStopUnfound, detector.name)
      && isCalm
  }

  /// Few false alerts of silence in people of all kinds together, and a silence of people who wear their device each
  /// day is reported soon.
  private func keepsSilence(_ detector: SilenceDetector, seed: UInt64) async -> Bool {
    var studies: [QuietHabitStudy] = []
    for kind in WearHabit.Kind.usual {
      let corpus = await WearCorpus(
        kind.habit, seed: seed, people: 0..<Self.peopleWithDevices, dayCount: Laboratory.quietDays)
      studies.append(await QuietHabitStudy(corpus, detector: detector))
    }
    let isCalm = keeps(
      QuietHabitStudy(joining: studies).rate(confidence: 0.99), of: "alerts of silence",
      atMost: Self.mostFalseSilences, detector.name)
    let stopped = await WearCorpus(
      WearHabit.Kind.always.habit, seed: seed,
      people: Self.peopleWithDevices..<2 * Self.peopleWithDevices, dayCount: 250,
      stop: { 200 + $0 % 28 })
    let delay = await StopStudy(stopped, detector: detector).delays.median.estimate
    return keeps(
      delay, of: "a silence of people who never paused reported",
      promised: Self.longestSilenceUnreported, detector.name) && isCalm
  }

  private func keepsRate(_ detector: ProfileEvents, _ simulator: Simulator) async throws -> Bool {
    let profile = detector.thresholds
    let found = await FalseEpisodes.simulated(
      [profile], simulator: simulator, people: 0..<Self.quietPeople)
    guard let rate = found?.first?.rate(confidence: 0.99) else {
      throw QualityError("no person was simulated")
    }
    return keeps(
      rate, of: profile.combined == nil ? "episodes" : "events", atMost: Self.mostFalseEvents,
      detector.name)
  }

  /// Prints a rate with its 99 % interval, which is kept where the interval begins below the most that is allowed.
  private func keeps(
    _ rate: ExactInterval, of noun: String, atMost most: Double, _ name: String
  ) -> Bool {
    let isKept = rate.lower <= most
    print(
      """
      \(name): \(rate.estimate.text(2)) false \(noun) per person-year, 99 % interval \(rate.lower.text(2)) to \
      \(rate.upper.text(2)), at most \(most.text(2)): \(isKept ? "kept" : "NOT kept")
      """)
    return isKept
  }

  /// Prints a median delay beside the one that is promised.
  private func keeps(
    _ delay: Double, of what: String, promised longest: Double, _ name: String
  ) -> Bool {
    let isKept = delay <= longest
    print(
      """
      \(name): \(what) on day \(delay.text(0)) (median), promised \(longest.text(0)): \
      \(isKept ? "kept" : "NOT kept")
      """)
    return isKept
  }

  private func keeps(
    _ promise: Promise, _ detector: ProfileEvents, _ simulator: Simulator
  ) async -> Bool {
    let first = Self.quietPeople
    let corpus = await Corpus(
      simulator, people: first..<first + Self.changedPeople, dayCount: promise.plan.dayCount,
      change: promise.plan.change(of:))
    let share = await ChangeEventStudy(corpus, detector: detector).delays.share(confidence: 0.99)
    let isKept = share.upper >= promise.share
    print(
      """
      \(detector.name): \(share.estimate.text(3)) of 30-day changes of \(promise.change) found, 99 % interval \
      \(share.lower.text(3)) to \(share.upper.text(3)), promised \(promise.share.text(2)): \
      \(isKept ? "kept" : "NOT kept")
      """)
    return isKept
  }
}
