import VigilAnalysis
import VigilLaboratory

/// Changes of several metrics at once: found by the subject with and without the series of several metrics
/// together, at the same number of false events, and by a CUSUM that knows everything about the person.
struct ChangeEventSection {
  let laboratory: Laboratory

  /// A change, and the result of the reference implementation (specification, evidence-person.md section 8).
  private struct Case {
    var name: String
    var plan: ChangePlan
    var reference: String
  }

  private var cases: [Case] {
    func plan(_ metrics: Int, _ size: Double, _ length: Int, lag: Int = 0) -> ChangePlan {
      var plan = ChangePlan(
        size: size, length: length, metrics: laboratory.allMetrics, metricCount: metrics)
      plan.mostLag = lag
      return plan
    }
    return [
      Case(name: "2 x 1.5 SD, 30 days", plan: plan(2, 1.5, 30), reference: "0.95, 10; 0.97, 9"),
      Case(name: "3 x 1 SD, 30 days", plan: plan(3, 1, 30), reference: "0.78, 18; 0.87, 14"),
      Case(name: "3 x 1.5 SD, 30 days", plan: plan(3, 1.5, 30), reference: "0.99, 8; 1.00, 6"),
      Case(name: "5 x 1 SD, 30 days", plan: plan(5, 1, 30), reference: "0.90, 13; 0.97, 9"),
      Case(name: "3 x 1.5 SD, 7 days", plan: plan(3, 1.5, 7), reference: "0.43, -; 0.61, 7"),
      Case(
        name: "4 x 1.5 SD within 3 days, 14 days each", plan: plan(4, 1.5, 14, lag: 3),
        reference: "0.85, 9; 0.95, 7"),
    ]
  }

  func measure() async -> Section {
    let quiet = await laboratory.quiet(people: laboratory.people / 2)
    let few = await laboratory.quiet(people: laboratory.people / 4)
    laboratory.report("thresholds at the same number of events")
    let together = await QuietEventStudy(quiet, detector: laboratory.together)
    let alone = await EventRateMatching.matched(
      on: quiet, count: together.events, settings: -100...100
    ) { laboratory.alone.withThresholds(raisedBy: $0) }
    let count = await QuietEventStudy(few, detector: laboratory.together).events
    var table = MarkdownTable([
      "change", "each metric alone", "together", "notified, together", "strict",
      "named metrics that changed", "known CUSUM", "reference: alone; together",
    ])
    for test in cases {
      laboratory.report("changes of \(test.name)")
      let changed = await laboratory.changed(test.plan)
      let bound = await EventRateMatching.matched(on: few, count: count, settings: 0...4_000) {
        KnownFusedCUSUM(plan: test.plan, simulator: laboratory.simulator(), threshold: $0)
      }
      let found = await ChangeEventStudy(changed, detector: laboratory.together)
      table.add([
        test.name, text(await ChangeEventStudy(changed, detector: alone).delays),
        text(found.delays), text(found.notifiedDelays),
        text(await ChangeEventStudy(changed, detector: laboratory.strict).delays),
        found.namedAndChanged.estimate.text(2),
        text(await ChangeEventStudy(changed, detector: bound).delays), test.reference,
      ])
    }
    return Section(tables: ["events-found": table.text])
  }

  private func text(_ delays: Delays) -> String {
    "\(delays.share().text(2)), \(delays.median.estimate.text(0)) d"
  }
}
