import VigilAnalysis
import VigilLaboratory

/// Breathing rate, oxygen saturation and skin temperature: false events of people who have them, and an illness found
/// with them and without.
struct FurtherMetricsSection {
  /// One for each profile, whose people have the metrics of the profile.
  let laboratories: [Laboratory]

  /// The metrics that an illness with fever changes, each in its bad direction.
  private static let illness = ["resting_hr", "hrv_ms", "breathing_rate", "skin_temperature_c"]
  private static let changes: [(size: Double, length: Int)] = [(1.5, 7), (2, 7), (1.5, 14)]

  func measure() async -> Section {
    var table = MarkdownTable(
      ["profile", "false events per person-year", "notifications"]
        + Self.changes.map { "\($0.size.text(1)) SD, \($0.length) days" })
    for laboratory in laboratories {
      let profile = laboratory.together
      laboratory.report("further metrics: \(profile.name)")
      let quiet = await QuietEventStudy(
        laboratory.quiet(people: laboratory.people / 2), detector: profile)
      var row = [profile.name, quiet.rate().text(2), quiet.notificationRate.text(2)]
      let metrics = Set(Self.illness.compactMap(laboratory.population.index(of:)))
      for change in Self.changes {
        let changed = await laboratory.changed(
          ChangePlan(size: change.size, length: change.length, metrics: metrics))
        let delays = await ChangeEventStudy(changed, detector: profile).delays
        row.append("\(delays.share().text(2)), \(delays.median.estimate.text(0)) d")
      }
      table.add(row)
    }
    let further = laboratories.last?.population.table(of: Shipped.furtherMetrics)
    return Section(tables: ["further-metrics": table.text, "population-further": further ?? ""])
  }
}
