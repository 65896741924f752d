import Foundation
import VigilDetection
import VigilLaboratory
import VigilModel

/// `measure`: writes the tables and figures of `docs/quality.md`.
struct MeasureCommand {
  static let usage =
    "measure --output FOLDER [--only PART] [--people NUMBER] [--seed NUMBER] [--population FILE] "
    + "[--real FOLDER]"

  func run(_ arguments: Arguments) async throws {
    let output = try arguments.value("output")
    let seed = UInt64(try arguments.number("seed", default: 17))
    let people = try arguments.number("people", default: 3_000)
    // Read before the work, so that a wrong path costs no time.
    let real = try arguments.optional("real").map(RealPeople.init(folder:))
    var report = try ReportFile(output + "/quality.md")
    guard let together = try Shipped.events("v3"), let strict = try Shipped.events("v3-strict")
    else { throw QualityError("profiles v3 and v3-strict do not ship") }
    let laboratory = Laboratory(
      population: try Shipped.population(arguments), seed: seed, people: people,
      profiles: try ["v1", "v2", "v3"].compactMap(Shipped.detector),
      together: together, strict: strict,
      doses: try ["v1", "v2", "v3"].compactMap(Shipped.doses),
      silence: try Shipped.silence("v3"),
      report: { FileHandle.standardError.write(Data("\($0)\n".utf8)) })
    laboratory.report("people in whom nothing changes")
    let quiet = await laboratory.quiet()
    let alarms = await FalseAlarmSection(laboratory: laboratory, quiet: quiet).measure()
    var sections = [alarms.section, basis(of: laboratory, quiet: quiet)]
    let only = arguments.optional("only")
    var plus = laboratory
    if let profile = try Shipped.events("v3-plus", metrics: Shipped.plusMetrics) {
      plus = laboratory.with(
        profile, population: try Shipped.population(arguments, metrics: Shipped.plusMetrics))
    }
    let parts =
      parts(of: laboratory, quiet: quiet, alarms: alarms.subject) + [
        Part(name: "further") {
          await FurtherMetricsSection(laboratories: [laboratory, plus]).measure()
        }
      ]
    for part in parts {
      guard only == nil || only == part.name else { continue }
      sections.append(await part.measure())
    }
    if let real {
      laboratory.report("real people")
      sections.append(RealPeopleSection(laboratory: laboratory, real: real).measure())
    }
    for section in sections {
      for (name, table) in section.tables { try report.put(table, at: name) }
      for (name, chart) in section.charts {
        try chart.svg.write(
          toFile: "\(output)/quality-\(name).svg", atomically: true, encoding: .utf8)
      }
    }
    try report.write()
  }

  /// A part of the report that can be measured alone.
  private struct Part {
    var name: String
    var measure: () async -> Section
  }

  private func parts(
    of laboratory: Laboratory, quiet: Corpus, alarms: QuietStudy
  ) -> [Part] {
    [
      Part(name: "summary") {
        await SummarySection(laboratory: laboratory, quiet: quiet).measure()
      },
      Part(name: "robustness") { await RobustnessSection(laboratory: laboratory).measure() },
      Part(name: "devices") { await DeviceSection(laboratory: laboratory).measure() },
      Part(name: "sizes") {
        await SizeSection(laboratory: laboratory, quiet: quiet, subjectQuiet: alarms).measure()
      },
      Part(name: "lengths") { await LengthSection(laboratory: laboratory).measure() },
      Part(name: "levels") { await LevelSection(laboratory: laboratory).measure() },
      Part(name: "several") { await SeveralSection(laboratory: laboratory).measure() },
      Part(name: "events-false") { await FalseEventSection(laboratory: laboratory).measure() },
      Part(name: "events-found") { await ChangeEventSection(laboratory: laboratory).measure() },
      Part(name: "doses") { await DoseSection(laboratory: laboratory).measure() },
      Part(name: "silence") { await SilenceSection(laboratory: laboratory).measure() },
      Part(name: "peers") {
        await PeerSection(laboratory: laboratory, quiet: quiet, subjectQuiet: alarms).measure()
      },
      Part(name: "frontier") { await FrontierSection(laboratory: laboratory).measure() },
    ]
  }

  /// The numbers that the rest rests on.
  private func basis(of laboratory: Laboratory, quiet: Corpus) -> Section {
    let population = laboratory.population
    let changed = laboratory.people / 2
    let summary =
      "\(population.provenance.dataset), fitted \(population.provenance.date). Seed \(laboratory.seed): "
      + "\(quiet.people) people x \(quiet.dayCount) days without a change "
      + "(\(quiet.personYears.text(0)) person-years), \(changed) people in each experiment with one."
    return Section(tables: [
      "population": population.table(of: laboratory.metrics), "basis": summary,
      "correlations": correlations(of: laboratory),
    ])
  }

  /// Of each two metrics whose correlation is known, or that the subject takes for correlated.
  private func correlations(of laboratory: Laboratory) -> String {
    var table = MarkdownTable([
      "two metrics", "correlation of their days, in the bad directions", "v3 assumes",
    ])
    let names = laboratory.metrics
    for (index, one) in names.enumerated() {
      for other in names[(index + 1)...] {
        guard let known = laboratory.population.badCorrelation(one, other) else { continue }
        let assumed =
          laboratory.together.thresholds.combined?.correlation(
            MetricType(one), MetricType(other)) ?? 0
        guard known.interval != nil || assumed > 0 else { continue }
        let interval = known.interval.map {
          " [\($0.lowerBound.text(2)), \($0.upperBound.text(2))]"
        }
        table.add([
          "\(one), \(other)", known.estimate.text(2) + (interval ?? " (assumed)"),
          assumed.text(2),
        ])
      }
    }
    return table.text
  }
}
