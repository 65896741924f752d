import VigilAnalysis
import VigilLaboratory

/// Changes of several metrics of a person at once: whether the subject finds any of them, and when.
struct SeveralSection {
  let laboratory: Laboratory

  private static let changes: [(size: Double, length: Int)] = [
    (1, 30), (1.5, 7), (1.5, 14), (1.5, 30),
  ]

  func measure() async -> Section {
    var table = MarkdownTable(
      ["metrics that change"] + Self.changes.map { "\($0.size.text(1)) SD, \($0.length) days" })
    for count in 1...laboratory.metrics.count {
      laboratory.report("changes of \(count) metrics")
      var row = [String(count)]
      for change in Self.changes {
        var plan = ChangePlan(
          size: change.size, length: change.length, metrics: laboratory.allMetrics)
        plan.metricCount = count
        let corpus = await laboratory.changed(plan, people: laboratory.people / 5)
        let delays = await ChangeStudy(corpus, detector: laboratory.subject).people.delays
        row.append("\(delays.share().text(2)), \(delays.median.estimate.text(0)) d")
      }
      table.add(row)
    }
    return Section(tables: ["several": table.text])
  }
}
