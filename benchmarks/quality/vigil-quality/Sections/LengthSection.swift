import VigilAnalysis
import VigilLaboratory

/// The share of changes of 1.5 SD that the subject finds, by their length and shape.
struct LengthSection {
  let laboratory: Laboratory

  private static let plans: [(name: String, length: Int, shape: PlantedChange.Shape)] = [
    ("7 days", 7, .step), ("14 days", 14, .step), ("30 days", 30, .step), ("60 days", 60, .step),
    ("30 days, rising for 14", 30, .ramp(days: 14)),
    ("60 days, rising for 30", 60, .ramp(days: 30)),
  ]

  func measure() async -> Section {
    var studies: [ChangeStudy] = []
    for plan in Self.plans {
      laboratory.report("changes of \(plan.name)")
      let corpus = await laboratory.changed(
        ChangePlan(
          size: 1.5, length: plan.length, shape: plan.shape, metrics: laboratory.allMetrics))
      studies.append(await ChangeStudy(corpus, detector: laboratory.subject))
    }
    var table = MarkdownTable(["metric"] + Self.plans.map(\.name))
    for (metric, name) in laboratory.metrics.enumerated() {
      table.add(
        [name]
          + studies.map { study in
            let delays = study.metrics[metric].delays
            return "\(delays.share().text(2)), \(delays.median.estimate.text(0)) d"
          })
    }
    return Section(tables: ["lengths": table.text])
  }
}
