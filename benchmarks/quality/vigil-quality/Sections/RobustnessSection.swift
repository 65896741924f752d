import VigilAnalysis
import VigilLaboratory

/// False episodes where people are not as the population says.
struct RobustnessSection {
  let laboratory: Laboratory

  private static let shown = ["steps", "sleep_minutes", "hrv_ms"]

  func measure() async -> Section {
    let profiles = laboratory.profiles
    let subject = laboratory.subject
    var table = MarkdownTable(
      ["people"] + profiles.map { "\($0.name), false episodes" }
        + Self.shown.map { "\(subject.name) finds, \($0)" })
    let plan = ChangePlan(size: 1.5, length: 30, metrics: laboratory.allMetrics)
    for departure in SimulationConditions.departures {
      laboratory.report("people: \(departure.name)")
      let quiet = await laboratory.quiet(departure.conditions, people: laboratory.people / 2)
      var row = [departure.name]
      for profile in profiles {
        let study = await QuietStudy(quiet, detector: profile)
        row.append(study.rate(study.total).text(2))
      }
      let changed = await laboratory.changed(plan, departure.conditions)
      let study = await ChangeStudy(changed, detector: subject)
      for metric in Self.shown {
        let index = laboratory.population.index(of: metric) ?? 0
        row.append(study.metrics[index].delays.share().estimate.text(2))
      }
      table.add(row)
    }
    return Section(tables: ["robustness": table.text])
  }
}
