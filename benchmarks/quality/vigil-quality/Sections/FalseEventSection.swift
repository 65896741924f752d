import VigilAnalysis
import VigilLaboratory

/// False events of the subject, with and without the series of several metrics together, where nothing changes.
struct FalseEventSection {
  let laboratory: Laboratory

  private static let correlations: [(name: String, conditions: SimulationConditions)] = {
    func conditions(_ change: (inout SimulationConditions) -> Void) -> SimulationConditions {
      var conditions = SimulationConditions()
      change(&conditions)
      return conditions
    }
    return [
      ("independent", conditions { $0.metricsAreCorrelated = false }),
      ("as fitted", conditions { _ in }),
      ("+ 0.1", conditions { $0.moreCorrelation = 0.1 }),
      ("+ 0.2", conditions { $0.moreCorrelation = 0.2 }),
    ]
  }()

  func measure() async -> Section {
    let (profiles, summary) = await profiles()
    return Section(tables: [
      "events-false": profiles, "events-summary": summary, "events-people": await people(),
    ])
  }

  /// - Returns: The table, and its most important figures in a sentence.
  private func profiles() async -> (table: String, summary: String) {
    var summary = ""
    var table = MarkdownTable([
      "metrics of a person, profile", "false events per person-year", "first 120 days",
      "notifications", "alerts of several metrics", "dispersion",
    ])
    for count in [7, 5, 2] {
      var conditions = SimulationConditions()
      conditions.metricsPerPerson = count
      laboratory.report("events of people with \(count) metrics")
      let quiet = await laboratory.quiet(conditions)
      for detector in [laboratory.alone, laboratory.together, laboratory.strict] {
        let study = await QuietEventStudy(quiet, detector: detector)
        if count == 7, detector.name == laboratory.together.name {
          summary = """
            With them, \(detector.name) has \(study.rate().text(2)) false events per person-year, and \
            \(study.notificationRate.text(2)) false notifications.
            """
        }
        table.add([
          "\(count), \(detector.name)", study.rate().text(2), study.earlyRate.text(2),
          study.notificationRate.text(2), study.combinedRate.text(2), study.dispersion.text(2),
        ])
      }
    }
    return (table.text, summary)
  }

  private func people() async -> String {
    var table = MarkdownTable(
      ["metrics of a person"] + Self.correlations.map { "correlations \($0.name)" })
    for count in 2...laboratory.metrics.count {
      var row = [String(count)]
      for correlation in Self.correlations {
        laboratory.report("events of \(count) metrics, correlations \(correlation.name)")
        var conditions = correlation.conditions
        conditions.metricsPerPerson = count
        let quiet = await laboratory.quiet(conditions, people: laboratory.people / 2)
        row.append(await QuietEventStudy(quiet, detector: laboratory.together).rate().text(2))
      }
      table.add(row)
    }
    return table.text
  }
}
