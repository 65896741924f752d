import VigilAnalysis
import VigilLaboratory

/// The levels that episodes reach and the days until they end, for each profile.
struct LevelSection {
  let laboratory: Laboratory

  func measure() async -> Section {
    let corpus = await laboratory.changed(
      ChangePlan(size: 1.5, length: 30, metrics: laboratory.allMetrics))
    var table = MarkdownTable([
      "profile, metric", "found", "level 7", "level 14", "level 21",
      "days from the true end to the resolution: median", "90 % resolved by",
    ])
    for profile in laboratory.profiles {
      let study = await ChangeStudy(corpus, detector: profile)
      for (metric, name) in laboratory.metrics.enumerated() {
        let outcomes = study.metrics[metric]
        table.add(
          ["\(profile.name), \(name)", outcomes.delays.share().estimate.text(2)]
            + [7, 14, 21].map { outcomes.share(reaching: $0).estimate.text(2) } + [
              outcomes.resolutions.median.estimate.text(0),
              outcomes.resolutions.quantile(0.9).estimate.text(0),
            ])
      }
    }
    return Section(tables: ["levels": table.text])
  }
}
