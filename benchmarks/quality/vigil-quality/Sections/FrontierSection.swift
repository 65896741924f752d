import VigilAnalysis
import VigilLaboratory

/// False episodes against changes found, as thresholds rise and fall.
struct FrontierSection {
  let laboratory: Laboratory

  private static let offsets = [-1, -0.7, -0.4, -0.2, 0, 0.2, 0.4, 0.7]
  private static let shown = ["steps", "sleep_minutes", "hrv_ms"]

  /// The results of one detector at one setting.
  private struct Setting {
    var quiet: QuietStudy
    var changed: ChangeStudy
  }

  func measure() async -> Section {
    let plan = ChangePlan(size: 1.5, length: 30, metrics: laboratory.allMetrics)
    let quiet = await laboratory.quiet(people: laboratory.people / 2)
    let changed = await laboratory.changed(plan)
    func setting(_ detector: some EpisodeDetector) async -> Setting {
      Setting(
        quiet: await QuietStudy(quiet, detector: detector),
        changed: await ChangeStudy(changed, detector: detector))
    }
    let rules: [any PeerRule] = [KnownCUSUMRule(size: 1.5), CUSUMRule(), EWMARule()]
    var subject: [Setting] = []
    var peers = rules.map { _ in [Setting]() }
    for offset in Self.offsets {
      laboratory.report("thresholds raised by \(offset.text(1))")
      let found = await setting(laboratory.subject.withThresholds(raisedBy: offset))
      subject.append(found)
      for (index, rule) in rules.enumerated() {
        let matched = await RateMatching.matched(
          PeerDetector(rule, population: laboratory.population), on: quiet,
          counts: found.quiet.metrics.map(\.episodes))
        peers[index].append(await setting(matched))
      }
    }
    let all =
      [(laboratory.subject.name, subject)] + zip(["known CUSUM", "CUSUM", "EWMA"], peers)
    return Section(
      tables: ["frontier": table(subject)],
      charts: [
        "frontier": foundChart(all.map { line($0, $1) { $0.share() } }),
        "frontier-delay": delayChart(all.map { line($0, $1) { $0.median } }),
      ])
  }

  private func table(_ settings: [Setting]) -> String {
    var table = MarkdownTable(
      ["thresholds", "false episodes per person-year"]
        + Self.shown.map { "\($0): found, median delay" })
    for (offset, setting) in zip(Self.offsets, settings) {
      let sign = offset > 0 ? "+ " : offset < 0 ? "- " : ""
      var row = [
        offset == 0 ? "as shipped" : sign + offset.magnitude.text(1),
        setting.quiet.rate(setting.quiet.total).text(2),
      ]
      for name in Self.shown {
        let delays = setting.changed.metrics[laboratory.population.index(of: name) ?? 0].delays
        row.append("\(delays.share().text(2)), \(delays.median.estimate.text(0)) d")
      }
      table.add(row)
    }
    return table.text
  }

  /// The line of a detector, each point a setting.
  private func line(
    _ name: String, _ settings: [Setting], _ value: (Delays) -> ExactInterval
  ) -> Chart.Line {
    let metric = laboratory.population.index(of: "steps") ?? 0
    return Chart.Line(
      name: name,
      points: settings.map { setting in
        let value = value(setting.changed.metrics[metric].delays)
        return .init(
          x: max(setting.quiet.rate(setting.quiet.metrics[metric]).estimate, 0.01),
          y: value.estimate, interval: value.upper.isFinite ? value.lower...value.upper : nil)
      })
  }

  private var rates: Chart.Axis {
    .init(
      label: "false episodes per series-year", range: 0.01...3, isLogarithmic: true,
      ticks: [0.01, 0.03, 0.1, 0.3, 1, 3], decimals: 2)
  }

  private func foundChart(_ lines: [Chart.Line]) -> Chart {
    Chart(
      title: "Changes found in steps against false episodes",
      description:
        "Share found of 30-day changes of 1.5 SD by false episodes per series and year, on a logarithmic "
        + "axis, of \(lines.map(\.name).joined(separator: ", ")). Higher and further left is better.",
      x: rates,
      y: .init(label: "share found", range: 0...1, ticks: [0, 0.25, 0.5, 0.75, 1], decimals: 2),
      lines: lines)
  }

  private func delayChart(_ lines: [Chart.Line]) -> Chart {
    Chart(
      title: "Median delay in steps against false episodes",
      description:
        "Days to the opening of 30-day changes of 1.5 SD by false episodes per series and year, on a "
        + "logarithmic axis, of \(lines.map(\.name).joined(separator: ", ")); misses count as infinitely "
        + "late. Lower and further left is better.",
      x: rates, y: .init(label: "days", range: 0...32, ticks: [0, 5, 10, 15, 20, 25, 30]),
      lines: lines)
  }
}
