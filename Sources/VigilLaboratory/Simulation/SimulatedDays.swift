import Foundation

/// The random course of a simulated person, day after day.
struct SimulatedDays {
  private let person: SimulatedPerson
  private let conditions: SimulationConditions
  private let cholesky: Cholesky
  private let count: Int
  private var day = -1

  private var innovations: RandomStream
  private var slowLevels: RandomStream
  private var wear: RandomStream
  private var metricWear: RandomStream
  private var devices: RandomStream

  private var independent: [Double]
  private var scores: [Double]
  private var levels: [Double]
  private var biases: [Double]
  private var isWorn = true
  private var hasValue: [Bool]

  private let wornShare: Double
  private let shares: [Double]
  private let memory: Double
  private let cyclePhase: Double

  init(_ person: SimulatedPerson, of simulator: Simulator) {
    self.person = person
    conditions = simulator.conditions
    cholesky = simulator.innovations
    count = person.metrics.count
    func stream(_ purpose: RandomStream.Purpose) -> RandomStream {
      RandomStream(seed: simulator.seed, person: person.number, purpose: purpose)
    }
    innovations = stream(.innovations)
    slowLevels = stream(.slowLevels)
    wear = stream(.wear)
    metricWear = stream(.metricWear)
    devices = stream(.devices)
    var phase = stream(.cycle)
    _ = phase.next()
    _ = phase.next()
    cyclePhase = 2 * .pi * phase.uniform()
    independent = Array(repeating: 0, count: count)
    scores = Array(repeating: 0, count: count)
    levels = Array(repeating: 0, count: count)
    biases = Array(repeating: 0, count: count)
    hasValue = Array(repeating: true, count: count)
    // A day without the device lacks all metrics; the best worn metric lacks no other days.
    let best = person.metrics.map(\.wear).max() ?? 1
    wornShare = best
    shares = person.metrics.map { best > 0 ? min($0.wear / best, 1) : 0 }
    memory = exp(-1 / conditions.wanderDays)
  }

  /// Goes to the next day; the first call goes to day 0.
  mutating func advance() {
    day += 1
    let isFirst = day == 0
    for metric in 0..<count { independent[metric] = innovations.normal() }
    for metric in 0..<count {
      let innovation = independent.withUnsafeBufferPointer {
        cholesky.product(row: metric, $0)
      }
      let a = person.metrics[metric].autocorrelation
      scores[metric] =
        isFirst ? innovation : a * scores[metric] + (1 - a * a).squareRoot() * innovation
      let step = slowLevels.normal()
      levels[metric] =
        isFirst ? step : memory * levels[metric] + (1 - memory * memory).squareRoot() * step
    }
    if person.deviceChanges.contains(day) {
      for metric in 0..<count { biases[metric] = conditions.deviceBias * devices.normal() }
    }
    isWorn = next(isWorn, share: wornShare, uniform: wear.uniform(), isFirst: isFirst)
    for metric in 0..<count {
      hasValue[metric] = next(
        hasValue[metric], share: shares[metric], uniform: metricWear.uniform(), isFirst: isFirst)
    }
  }

  /// A chain of two states: gaps have the mean length of the conditions, days with a value their share.
  private func next(_ state: Bool, share: Double, uniform: Double, isFirst: Bool) -> Bool {
    if share >= 1 { return true }
    if isFirst { return uniform < share }
    let ends = 1 / conditions.meanGap
    return state ? uniform >= ends * (1 - share) / share : uniform < ends
  }

  func isObserved(_ metric: Int) -> Bool { isWorn && hasValue[metric] }

  /// A standard normal number that follows the metric's autocorrelation.
  func residualScore(_ metric: Int) -> Double { scores[metric] }

  /// The slow level, the yearly wave and the device's bias, in personal spreads.
  func slow(_ metric: Int) -> Double {
    let phase = person.metrics[metric].seasonPhase
    return conditions.wander * levels[metric]
      + conditions.season * sin(2 * .pi * Double(day) / 365.25 + phase) + biases[metric]
  }

  /// The person's cycle on this day, in the metric's unit.
  var cycle: Double {
    person.cycleAmplitude == 0
      ? 0 : person.cycleAmplitude * sin(2 * .pi * Double(day) / person.cycleLength + cyclePhase)
  }
}
