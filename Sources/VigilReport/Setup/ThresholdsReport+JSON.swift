import VigilAnalysis
import VigilModel

extension ThresholdsReport: Encodable {
  private struct Document: Encodable {
    var file: String
    var version: String
    var digest: String
    var metrics: [MetricRow]
    var combined: OrNull<CombinedRow>
    var silences: [SilenceRow]
    /// Left out where there are none.
    var criticalLimits: [LimitRow]?
    var calibration: OrNull<CalibrationRow>
    var falseEpisodes: OrNull<ExpectationRow>
  }

  private struct MetricRow: Encodable {
    var metricType: MetricType
    var patternType: PatternType
    var unit: String
    var rules: [String]
    var detector: String
    var transform: OrNull<String>
    var priorSpread: OrNull<Double>
    var priorAutocorrelation: OrNull<Double>
    /// By the size of the baseline.
    var thresholds: OrNull<[String: Double]>
  }

  private struct CombinedRow: Encodable {
    var metricEvidence: Double
    /// By the number of metrics that take part.
    var thresholds: [String: Double]
    var correlations: [Combined.Correlation]
  }

  private struct SilenceRow: Encodable {
    var metricType: MetricType
    var openAfterDays: Int
    var watchedDays: Int
  }

  private struct LimitRow: Encodable {
    var metricType: MetricType
    var direction: CriticalLimit.Direction
    var limitValue: Double
    var days: Int
    var severity: Severity
  }

  private struct CalibrationRow: Encodable {
    var falseEpisodesPerPersonYear: OrNull<Double>
    var openingsPerSeriesYear: Double
    var combinedOpeningsPerPersonYear: OrNull<Double>
    var simulatedSeries: Int
    var seed: OrNull<Int>
    var digest: OrNull<String>
    var source: OrNull<String>
  }

  private struct ExpectationRow: Encodable {
    var perPersonYear: ExactInterval
    var metrics: [Row]
    /// Of several metrics together; where it is given, `perPersonYear` counts events.
    var combined: OrNull<ExactInterval>
    var doses: OrNull<ExactInterval>
    var silence: OrNull<ExactInterval>
    var notSimulated: [MetricType]
    var simulatedPeople: Int
    var simulatedDays: Int
    var seed: Int
    var dataset: String

    struct Row: Encodable {
      var metricType: MetricType
      var perPersonYear: ExactInterval
    }
  }

  public func encode(to encoder: any Encoder) throws {
    try Document(
      file: file, version: version, digest: digest,
      metrics: metrics.map { metric in
        let evidence = metric.evidence
        return MetricRow(
          metricType: metric.metricType, patternType: metric.patternType, unit: metric.unit,
          rules: metric.rules, detector: metric.detector, transform: OrNull(evidence?.transform),
          priorSpread: OrNull(evidence?.priorSpread),
          priorAutocorrelation: OrNull(evidence?.priorAutocorrelation),
          thresholds: OrNull(
            evidence.map { evidence in
              Dictionary(
                uniqueKeysWithValues: evidence.thresholds.map { (String($0.key), $0.value) })
            }))
      },
      combined: OrNull(
        combined.map { combined in
          CombinedRow(
            metricEvidence: combined.metricEvidence,
            thresholds: Dictionary(
              uniqueKeysWithValues: combined.thresholds.map { (String($0.key), $0.value) }),
            correlations: combined.correlations)
        }),
      silences: silences.map {
        SilenceRow(
          metricType: $0.metricType, openAfterDays: $0.openAfterDays,
          watchedDays: $0.watchedDays)
      },
      criticalLimits: limits.isEmpty
        ? nil
        : limits.map {
          LimitRow(
            metricType: $0.metric, direction: $0.direction, limitValue: $0.value, days: $0.days,
            severity: $0.severity)
        },
      calibration: OrNull(
        calibration.map {
          CalibrationRow(
            falseEpisodesPerPersonYear: OrNull($0.budget),
            openingsPerSeriesYear: $0.openingsPerSeriesYear,
            combinedOpeningsPerPersonYear: OrNull($0.combinedOpeningsPerPersonYear),
            simulatedSeries: $0.simulatedSeries, seed: OrNull($0.seed), digest: OrNull($0.digest),
            source: OrNull($0.source))
        }),
      falseEpisodes: OrNull(
        expectation.map { expected in
          ExpectationRow(
            perPersonYear: expected.total,
            metrics: expected.metrics.map {
              .init(metricType: $0.metricType, perPersonYear: $0.rate)
            },
            combined: OrNull(expected.combined), doses: OrNull(expected.doses),
            silence: OrNull(expected.silence), notSimulated: expected.notSimulated,
            simulatedPeople: expected.people,
            simulatedDays: expected.days, seed: expected.seed, dataset: expected.dataset)
        })
    ).encode(to: encoder)
  }
}
