import VigilAnalysis
import VigilModel

extension CalibrationReport: Encodable {
  private struct Document: Encodable {
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
      }
    ).encode(to: encoder)
  }
}
