import ShippedThresholds
import Testing
import VigilAdherence
import VigilDetection
import VigilModel
import VigilPipeline

/// The folds of one person are brought together; what each finds is tested beside it.
@Suite struct PatternFoldTests {
  private static let first = Day(ordinal: 20_000)
  private static let days = first...(first + 119)
  private let anna = UUID(name: "anna")
  private let tablets = UUID(name: "tablets")

  private func plan(followsAdherence: Bool = true) throws -> ProfilePlan {
    let bytes = try #require(ShippedThresholds.named("v3"))
    let thresholds = try Thresholds(json: bytes, file: "v3.json", digest: "")
    return ProfilePlan(
      thresholds, window: FoldWindow(evaluating: Self.days, thresholds: thresholds),
      availableMetrics: nil, followsAdherence: followsAdherence, followsCheckIns: false)
  }

  /// The input of a person who walks until the device stops on a day.
  private func input(_ plan: ProfilePlan, until last: Int) throws -> BlockInput {
    let input = BlockInput(plan)
    input.begin([anna])
    let source = input.observations.index(ofSource: "watch")
    let steps = try #require(input.observations.columns.firstIndex(of: MetricType("steps")))
    var values = [Double](repeating: .nan, count: input.observations.columns.count)
    for day in plan.window.loaded where day <= Self.first + last {
      values[steps] = 8_000
      values.withUnsafeBufferPointer {
        input.observations.append(
          person: 0, day: day, source: source, values: $0, isOtherPositive: false, updatedAt: nil)
      }
    }
    input.observations.finish()
    return input
  }

  @Test func silenceIsFoundBesideMetrics() throws {
    let plan = try plan(followsAdherence: false)
    let input = try input(plan, until: 99)
    let fold = PatternFold(plan, evaluatedAt: nil)
    fold.fold(input, adherence: nil)
    #expect(fold.metrics.episodes.isEmpty)
    let episode = try #require(fold.silences.episodes.first)
    #expect(episode.episode.activeSince == Self.first + 100)
    #expect(
      input.key(ofSilence: episode.series)
        == SeriesKey(user: anna, metric: .inactivity, pattern: .silence))
    #expect(fold.medicationKeys.isEmpty)
  }

  @Test func aPersonWhoIsOffIsNotFollowed() throws {
    let plan = try plan(followsAdherence: false)
    let input = try input(plan, until: 99)
    input.sensitivities = [0: PersonalSensitivity([.inactivity: .off])]
    let fold = PatternFold(plan, evaluatedAt: nil)
    fold.fold(input, adherence: nil)
    #expect(fold.silences.episodes.isEmpty)
  }

  @Test func aMedicationThatIsNotTakenAnyMoreIsFound() throws {
    let plan = try plan()
    let input = try input(plan, until: 119)
    let counts = plan.window.loaded.map { day in
      DoseCounts(expected: 1, missed: day < Self.first + 100 ? 0 : 1, inferred: 0)
    }
    let own = MedicationDays(
      person: 0, medication: tablets, counts: counts, lastDay: nil, rare: [], firstTakenOn: nil,
      firstDueOn: plan.window.loaded.lowerBound)
    let rareDays = try #require(plan.adherenceMetric?.doses?.rareDays)
    let doses = DoseBlock(personCount: 1, days: plan.window.loaded)
    for (index, count) in zip(doses.days(ofPerson: 0).indices, counts) {
      doses.days(ofPerson: 0)[index] = count
    }
    var found = AdherenceFindings(
      daily: ObservationBlock(personCount: 1, metricCount: 1, days: plan.window.loaded),
      doses: [rareDays: doses])
    found.medications = [
      rareDays: MedicationDoseBlock(days: plan.window.loaded, medications: [own])
    ]
    let fold = PatternFold(plan, evaluatedAt: nil)
    fold.fold(input, adherence: found)
    let episode = try #require(fold.medications.episodes.first)
    #expect(episode.episode.activeSince == Self.first + 100)
    #expect(
      fold.medicationKeys[episode.series]
        == SeriesKey(
          user: anna, medication: tablets, metric: .missedStreak, pattern: .medication))
    // The alert about all doses of the person stands for it.
    #expect(fold.metrics.episodes.contains { $0.episode.activeSince == Self.first + 100 })

    let without = PatternFold(plan, evaluatedAt: nil, followsMedications: false)
    without.fold(input, adherence: found)
    #expect(without.medications.episodes.isEmpty)
  }
}
