import VigilAnalysis
import VigilLaboratory

/// The share of changes that the subject finds and its delay, by the size of the change; beside Lorden's bound and a
/// CUSUM with known parameters.
struct SizeSection {
  let laboratory: Laboratory
  let quiet: Corpus
  let subjectQuiet: QuietStudy

  static let sizes = [1, 1.5, 2, 3.0]
  private static let length = 30

  /// The results of one size.
  private struct Row {
    var size: Double
    var subject: ChangeStudy
    var known: ChangeStudy
  }

  func measure() async -> Section {
    var rows: [Row] = []
    for size in Self.sizes {
      laboratory.report("changes of \(size.text(1)) SD")
      let plan = ChangePlan(size: size, length: Self.length, metrics: laboratory.allMetrics)
      let corpus = await laboratory.changed(plan)
      let known = await RateMatching.matched(
        PeerDetector(KnownCUSUMRule(size: size), population: laboratory.population), on: quiet,
        counts: subjectQuiet.metrics.map(\.episodes))
      rows.append(
        Row(
          size: size, subject: await ChangeStudy(corpus, detector: laboratory.subject),
          known: await ChangeStudy(corpus, detector: known)))
    }
    var table = MarkdownTable([
      "metric, size in SD", "found", "median delay", "90 % found by", "Lorden's bound",
      "known CUSUM: found", "median",
    ])
    for (metric, name) in laboratory.metrics.enumerated() {
      for row in rows {
        let (subject, known) = (
          row.subject.metrics[metric].delays, row.known.metrics[metric].delays
        )
        table.add([
          "\(name), \(row.size.text(1))", subject.share().text(2), subject.median.text(0),
          subject.quantile(0.9).estimate.text(0), bound(metric, size: row.size).text(1),
          known.share().estimate.text(2), known.median.estimate.text(0),
        ])
      }
    }
    return Section(
      tables: ["sizes": table.text],
      charts: ["found-by-size": foundChart(rows), "delay-by-size": delayChart(rows)])
  }

  /// The bound for a person in the middle of the population, at the subject's rate.
  private func bound(_ metric: Int, size: Double) -> Double {
    let figures = laboratory.population.metrics[metric]
    let rate = subjectQuiet.observedRate(subjectQuiet.metrics[metric]).estimate
    return LordenBound.days(
      size: size, autocorrelation: figures.autocorrelation.value(at: 0.5),
      alarmsPerSeriesYear: max(rate, 1e-6), wear: figures.wear.value(at: 0.5))
  }

  private func foundChart(_ rows: [Row]) -> Chart {
    Chart(
      title: "Share of 30-day changes that \(laboratory.subject.name) finds",
      description:
        "One line a metric, by the size of the change in personal standard deviations; bars are 95 % "
        + "intervals. The figures are those of the table of sizes.",
      x: .init(
        label: "size, personal SD", range: 0.8...3.2, ticks: Self.sizes, decimals: 1),
      y: .init(label: "share found", range: 0...1, ticks: [0, 0.25, 0.5, 0.75, 1], decimals: 2),
      lines: laboratory.metrics.enumerated().map { metric, name in
        Chart.Line(
          name: name,
          points: rows.map { row in
            let share = row.subject.metrics[metric].delays.share()
            return .init(x: row.size, y: share.estimate, interval: share.lower...share.upper)
          })
      })
  }

  private func delayChart(_ rows: [Row]) -> Chart {
    let metric = laboratory.population.index(of: "steps") ?? 0
    func line(_ name: String, _ delay: (Row) -> ExactInterval) -> Chart.Line {
      Chart.Line(
        name: name,
        points: rows.map { row in
          let delay = delay(row)
          let isShown = delay.lower.isFinite && delay.upper.isFinite
          return .init(
            x: row.size, y: delay.estimate, interval: isShown ? delay.lower...delay.upper : nil)
        })
    }
    return Chart(
      title: "Median delay in steps, at the same rate of false alarms",
      description:
        "Days from the first changed day to the opening, by the size of the change, of "
        + "\(laboratory.subject.name), of a CUSUM with known parameters and of Lorden's bound.",
      x: .init(label: "size, personal SD", range: 0.8...3.2, ticks: Self.sizes, decimals: 1),
      y: .init(label: "days", range: 0...32, ticks: [0, 5, 10, 15, 20, 25, 30]),
      lines: [
        line(laboratory.subject.name) { $0.subject.metrics[metric].delays.median },
        line("known CUSUM") { $0.known.metrics[metric].delays.median },
        line("Lorden's bound") {
          let bound = bound(metric, size: $0.size)
          return ExactInterval(estimate: bound, lower: bound, upper: bound)
        },
      ])
  }
}
