import VigilLaboratory

/// The people, the seed and the profiles of one report.
struct Laboratory {
  private(set) var population: Population
  let seed: UInt64
  /// People of each experiment without a change; half as many change in each experiment with one.
  let people: Int
  /// The profiles to compare; the last one is the subject of the report.
  let profiles: [ProfileDetector]
  /// The subject with its metrics together, and a profile with fewer false events.
  private(set) var together: ProfileEvents
  let strict: ProfileEvents
  /// The rules for doses of each profile; the last one is the subject of the report.
  let doses: [DoseDetector]
  /// The rules for silence of the subject; nil where it does not follow silence.
  let silence: SilenceDetector?
  let report: (String) -> Void

  static let quietDays = 430

  var subject: ProfileDetector { profiles[profiles.count - 1] }

  /// The events of the subject where each metric is judged by itself.
  var alone: ProfileEvents {
    together.withoutCombined(named: "\(together.name), each metric alone")
  }

  /// The same with people of other metrics, in whom `profile` finds events.
  func with(_ profile: ProfileEvents, population: Population) -> Laboratory {
    var laboratory = self
    (laboratory.together, laboratory.population) = (profile, population)
    return laboratory
  }

  var metrics: [String] { population.metrics.map(\.metric) }

  func simulator(_ conditions: SimulationConditions = .init()) -> Simulator {
    Simulator(population: population, conditions: conditions, seed: seed)
  }

  /// People in whom nothing changes.
  func quiet(
    _ conditions: SimulationConditions = .init(), people count: Int? = nil
  ) async -> Corpus {
    await Corpus(
      simulator(conditions), people: 0..<(count ?? people), dayCount: Self.quietDays)
  }

  /// People who change; none of them is in a quiet corpus, and all plans have the same people.
  func changed(
    _ plan: ChangePlan, _ conditions: SimulationConditions = .init(), people count: Int? = nil
  ) async -> Corpus {
    await Corpus(
      simulator(conditions), people: people..<(people + (count ?? people / 2)),
      dayCount: plan.dayCount,
      change: plan.change(of:))
  }

  var allMetrics: Set<Int> { Set(metrics.indices) }
}
