import VigilAnalysis
import VigilLaboratory

/// The few figures that say how the profiles differ.
struct SummarySection {
  let laboratory: Laboratory
  let quiet: Corpus

  private static let shown = ["steps", "sleep_minutes", "hrv_ms"]

  func measure() async -> Section {
    let plan = ChangePlan(size: 1.5, length: 30, metrics: laboratory.allMetrics)
    var nothing = plan
    nothing.size = 0
    let changed = await laboratory.changed(plan)
    let unchanged = await laboratory.changed(nothing)
    var table = MarkdownTable(
      ["profile", "false episodes per person-year", "false notifications"]
        + Self.shown.map { "\($0): found, by chance, median delay" })
    for profile in laboratory.profiles {
      let alarms = await QuietStudy(quiet, detector: profile)
      let found = await ChangeStudy(changed, detector: profile)
      let chance = await ChangeStudy(unchanged, detector: profile)
      var row = [
        profile.name, alarms.rate(alarms.total).text(2),
        alarms.notificationRate(alarms.total).text(2),
      ]
      for name in Self.shown {
        let metric = laboratory.population.index(of: name) ?? 0
        let delays = found.metrics[metric].delays
        row.append(
          "\(delays.share().estimate.text(2)), "
            + "\(chance.metrics[metric].delays.share().estimate.text(2)), "
            + "\(delays.median.estimate.text(0)) d")
      }
      table.add(row)
    }
    return Section(tables: ["summary": table.text])
  }
}
