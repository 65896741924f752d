import Foundation
import ShippedThresholds
import TestSupport
import Testing
import VigilDetection
import VigilModel
import VigilPipeline

/// Nights that judge the new day alone where nothing has changed find what nights find that judge all days again.
@Suite struct CalmDigestsTests {
  /// Persons whose rows come late, change, or name another device now and then.
  private struct People {
    let persons: [UUID]
    let metrics: Int
    /// By person, day and metric.
    var values: [[Day: [Double]]] = []
    var sources: [[Day: String]] = []
    var workouts: [Set<Day>] = []
    var sensitivities: [Int: PersonalSensitivity] = [:]

    static let first = Day(ordinal: 20_000)
    static let length = 340

    init(_ count: Int, metrics: [MetricThresholds], using random: inout SeededGenerator) {
      persons = (0..<count).map { UUID(name: "calm \($0)") }
      self.metrics = metrics.count
      for _ in 0..<count {
        var (days, names): ([Day: [Double]], [Day: String]) = ([:], [:])
        let changes = (0..<3).map { _ in
          (
            start: Int.random(in: 100..<Self.length, using: &random),
            metric: Int.random(in: 0..<metrics.count, using: &random)
          )
        }
        let device = Int.random(in: 0..<2 * Self.length, using: &random)
        for index in 0..<Self.length where Int.random(in: 0..<12, using: &random) > 0 {
          days[Self.first + index] = metrics.indices.map { metric in
            let noise = (0..<6).reduce(0.0) { sum, _ in
              sum + Double.random(in: -0.5...0.5, using: &random)
            }
            let isChanged = changes.contains {
              $0.metric == metric && ($0.start..<$0.start + 14).contains(index)
            }
            let usual = Self.usual(metrics[metric].metric)
            return (usual * (1 + 0.12 * noise) * (isChanged ? 0.7 : 1)).rounded()
          }
          names[Self.first + index] = index < device ? "watch" : "ring"
        }
        values.append(days)
        sources.append(names)
        workouts.append(
          Set(
            (0..<Self.length).filter { _ in Int.random(in: 0..<20, using: &random) == 0 }
              .map { Self.first + $0 }))
      }
    }

    private static func usual(_ metric: MetricType) -> Double {
      switch metric.rawValue {
      case "steps": 8_000
      case "sleep_minutes": 430
      case "sleep_efficiency_pct": 90
      default: 60
      }
    }

    /// Makes the changes between two nights: mostly none.
    mutating func change(before day: Day, using random: inout SeededGenerator) {
      let person = Int.random(in: persons.indices, using: &random)
      let late = day - Int.random(in: 1...270, using: &random)
      switch Int.random(in: 0..<9, using: &random) {
      case 0: values[person][late] = nil
      case 1: values[person][late]?[Int.random(in: 0..<metrics, using: &random)] *= 1.5
      case 2: workouts[person].formSymmetricDifference([late])
      case 3: sensitivities[person] = PersonalSensitivity([MetricType("resting_hr"): .higher])
      case 4: sensitivities[person] = nil
      case 5: sources[person][late] = "phone"
      default: break
      }
    }

    func fill(_ input: BlockInput, through last: Day) {
      input.begin(persons)
      input.sensitivities = sensitivities
      let days = input.block.days
      for person in persons.indices {
        for day in days where day <= last {
          guard let row = values[person][day] else { continue }
          row.withUnsafeBufferPointer {
            input.observations.append(
              person: person, day: day,
              source: input.observations.index(ofSource: sources[person][day] ?? "watch"),
              values: $0, isOtherPositive: true, updatedAt: nil)
          }
        }
        for day in workouts[person] where days.contains(day) {
          input.block.addWorkout(person: person, day: day)
        }
      }
      input.observations.finish()
    }
  }

  /// The rows that nights leave, as far as folds go on from them.
  private struct Rows {
    var episodes: [SeriesKey: [Episode]] = [:]

    func touched(since day: Day) -> [SeriesKey: [Episode]] {
      episodes.mapValues { own in
        own.filter { $0.isActive || $0.lastEvaluated >= day || ($0.resolution?.day ?? day) >= day }
      }.filter { !$0.value.isEmpty }
    }

    /// Puts what was found in the place of the rows of the folded days.
    mutating func take(_ found: [SeriesKey: [Episode]], folding days: ClosedRange<Day>) {
      for key in Set(episodes.keys).union(found.keys) {
        let own = found[key] ?? []
        episodes[key] =
          (episodes[key] ?? []).filter { old in
            !own.contains { $0.activeSince == old.activeSince }
              && old.resolution.map { $0.day < days.lowerBound } ?? false
          } + own
        episodes[key]?.sort { $0.activeSince < $1.activeSince }
      }
    }
  }

  @Test(arguments: ["v3", "v3-strict"])
  func nightsFindTheSame(profile: String) throws {
    let thresholds = try Thresholds(
      json: Data(try #require(ShippedThresholds.named(profile))), file: "\(profile).json",
      digest: profile)
    var (nights, calm, found) = (0, 0, 0)
    for seed in 0..<Repetitions.count(fast: 2, long: 60) {
      var random = SeededGenerator(seed: seed)
      var people = People(8, metrics: thresholds.wearableMetrics, using: &random)
      var (plain, short) = (Rows(), Rows())
      var known: [UInt64: CalmDigest.SeriesSet] = [:]
      var day = People.first + 290
      while day < People.first + People.length {
        let plan = ProfilePlan(
          thresholds, window: FoldWindow(evaluating: day...day, thresholds: thresholds),
          availableMetrics: Set(thresholds.wearableMetrics.map(\.metric)),
          followsAdherence: false, followsCheckIns: false)
        let input = BlockInput(plan)
        people.fill(input, through: day)
        let first = plan.window.loaded.lowerBound
        let whole = PatternFold(plan, evaluatedAt: nil)
        whole.fold(input, adherence: nil, stored: plain.touched(since: first))
        let part = PatternFold(
          plan, evaluatedAt: nil, calm: CalmDigests(of: plan, engineVersion: "test"),
          knownCalm: known)
        part.fold(input, adherence: nil, stored: short.touched(since: first))
        plain.take(episodes(of: whole, input), folding: plan.window.folded)
        short.take(episodes(of: part, input), folding: plan.window.folded)
        #expect(plain.episodes == short.episodes, "seed \(seed), \(day)")
        nights += people.persons.count * plan.seriesPerPerson
        calm += part.calmSeries.values.reduce(0) { $0 + $1.nonzeroBitCount }
        found += plain.episodes.values.joined().count
        known = Dictionary(
          uniqueKeysWithValues: part.calmDigests.map { ($0.input, $0.series) })
        people.change(before: day, using: &random)
        // A night that was left out leaves nothing to go on from.
        day = day + (Int.random(in: 0..<8, using: &random) == 0 ? 2 : 1)
      }
    }
    // Most series are calm most nights; some have alerts.
    #expect(calm > nights / 2 && calm < nights, "\(calm) of \(nights)")
    #expect(found > 0)
  }

  private func episodes(of fold: PatternFold, _ input: BlockInput) -> [SeriesKey: [Episode]] {
    var episodes: [SeriesKey: [Episode]] = [:]
    for folded in fold.metrics.episodes {
      episodes[input.key(ofSeries: folded.series), default: []].append(folded.episode)
    }
    return episodes
  }

  @Test func onlyTheNightsOfProfilesThatJudgeByEvidenceHaveDigests() throws {
    let day = People.first
    func digests(_ profile: String, _ days: ClosedRange<Day>) throws -> CalmDigests? {
      let thresholds = try Thresholds(
        json: Data(try #require(ShippedThresholds.named(profile))), file: "\(profile).json",
        digest: profile)
      return CalmDigests(
        of: ProfilePlan(
          thresholds, window: FoldWindow(evaluating: days, thresholds: thresholds),
          availableMetrics: nil, followsAdherence: false, followsCheckIns: false),
        engineVersion: "test")
    }
    #expect(try digests("v3", day...day) != nil)
    #expect(try digests("v3", day...day + 1) == nil)
    #expect(try digests("v1", day...day) == nil)
  }
}
