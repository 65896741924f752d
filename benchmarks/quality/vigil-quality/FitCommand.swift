import Foundation
import VigilDetection
import VigilFiles
import VigilLaboratory
import VigilModel

/// `fit`: writes the description of a population from the rows of real people.
struct FitCommand {
  static let usage = "fit FOLDER --dataset NAME --date YYYY-MM-DD --output FILE"

  static let plans: [PopulationFit.MetricPlan] = [
    .init("steps", scale: .sqrt, badDirection: -1, step: 1, limits: 0...200_000),
    .init("sleep_minutes", scale: .none, badDirection: -1, step: 1, limits: 0...1440),
    .init("hrv_ms", scale: .log, badDirection: -1, step: 1, limits: 1...500),
    .init("resting_hr", scale: .none, badDirection: 1, step: 1, limits: 20...250),
    .init("sleep_efficiency_pct", scale: .none, badDirection: -1, step: 1, limits: 0...100),
    .init("movement_minutes", scale: .sqrt, badDirection: -1, step: 1, limits: 0...1440),
    .init("deep_sleep_minutes", scale: .none, badDirection: -1, step: 1, limits: 0...1440),
    .init("breathing_rate", scale: .none, badDirection: 1, step: 0.1, limits: 4...60),
    .init("spo2_avg_pct", scale: .none, badDirection: -1, step: 0.1, limits: 50...100),
    .init("skin_temperature_c", scale: .none, badDirection: 1, step: 0.01, limits: 20...43),
  ]

  func run(_ arguments: Arguments) throws {
    let folder = try arguments.positional()
    let output = try arguments.value("output")
    let dataset = try arguments.value("dataset")
    let date = try arguments.value("date")
    guard let thresholds = try Shipped.thresholds("v2"),
      let plus = try Shipped.thresholds("v3-plus")
    else { throw QualityError("profiles v2 and v3-plus do not ship") }
    let real = try RealPeople(folder: folder)
    let metrics =
      thresholds.wearableMetrics
      + plus.wearableMetrics.filter { Shipped.furtherMetrics.contains($0.metric.rawValue) }
    let series = real.series(metrics: metrics, thresholds: thresholds)
    var population = PopulationFit().population(
      of: series, plans: Self.plans,
      provenance: .init(
        dataset: dataset, people: Set(series.map(\.person)).count, date: date,
        command: "vigil-quality fit FOLDER --dataset '\(dataset)' --date \(date) --output FILE"))
    population.assumeDeepSleep()
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let data = try encoder.encode(population)
    guard let text = String(data: data, encoding: .utf8) else { return }
    try NewFile(path: output, at: output, replaces: true).write(CompactArrays.joined(text))
    for metric in population.metrics {
      print(
        metric.metric, "people", metric.people, "spread",
        metric.spread.value(at: 0.5).text(2), "autocorrelation",
        metric.autocorrelation.value(at: 0.5).text(2), "wear", metric.wear.value(at: 0.5).text(2))
    }
  }
}
