import VigilAnalysis
import VigilModel

extension CalibrationReport: Encodable {
  fileprivate struct Document: Encodable {
    var file: String
    var version: String
    var digest: String
    var base: String
    var database: String
    var from: Day
    var to: Day
    var people: Int
    var budget: Double
    var keepsBudget: Bool
    var falseEpisodesPerPersonYear: ExactInterval
    var falseEpisodesPerPersonYearOfBase: ExactInterval
    var openingsPerSeriesYear: Double
    var simulatedPeople: Int
    var simulatedDays: Int
    var seed: Int
    var metrics: [Row]
    var combined: OrNull<TogetherRow>
    var pauses: OrNull<PausesRow>
    var doses: OrNull<DosesRow>

    struct TogetherRow: Encodable {
      var falseEpisodesPerPersonYear: ExactInterval
      /// By the number of metrics that take part.
      var thresholds: [String: Double]
      var thresholdsBefore: [String: Double]
      var correlations: [CorrelationRow]
    }

    struct CorrelationRow: Encodable {
      var metrics: [MetricType]
      var found: OrNull<ExactInterval>
      var now: Double
      var before: Double
    }

    struct Row: Encodable {
      var metricType: MetricType
      var people: Int
      var source: Source
      var now: Figures
      var before: Figures
      var falseEpisodesPerPersonYear: OrNull<ExactInterval>
    }
  }

  public func encode(to encoder: any Encoder) throws {
    try Document(
      file: file, version: version, digest: digest, base: base, database: database,
      from: days.lowerBound, to: days.upperBound, people: people, budget: budget,
      keepsBudget: keepsBudget, falseEpisodesPerPersonYear: expected,
      falseEpisodesPerPersonYearOfBase: expectedOfBase,
      openingsPerSeriesYear: openingsPerSeriesYear, simulatedPeople: simulatedPeople,
      simulatedDays: simulatedDays, seed: seed,
      metrics: metrics.map {
        Document.Row(
          metricType: $0.metricType, people: $0.people, source: $0.source, now: $0.now,
          before: $0.before, falseEpisodesPerPersonYear: OrNull($0.expected))
      },
      combined: OrNull(together.map(Document.TogetherRow.init)),
      pauses: OrNull(pauses.map(PausesRow.init)), doses: OrNull(doses.map(DosesRow.init))
    ).encode(to: encoder)
  }
}

extension CalibrationReport.Document.TogetherRow {
  fileprivate init(_ together: CalibrationReport.Together) {
    func named(_ thresholds: [Int: Double]) -> [String: Double] {
      Dictionary(uniqueKeysWithValues: thresholds.map { (String($0.key), $0.value) })
    }
    self.init(
      falseEpisodesPerPersonYear: together.expected, thresholds: named(together.thresholds),
      thresholdsBefore: named(together.thresholdsBefore),
      correlations: together.correlations.map {
        .init(metrics: $0.metrics, found: OrNull($0.found), now: $0.now, before: $0.before)
      })
  }
}
