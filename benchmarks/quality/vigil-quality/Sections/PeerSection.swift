import VigilAnalysis
import VigilLaboratory

/// The profiles and the rules of others on the same series: each at its own rate, and at the subject's.
struct PeerSection {
  let laboratory: Laboratory
  let quiet: Corpus
  let subjectQuiet: QuietStudy

  private static let shown = ["steps", "sleep_minutes", "hrv_ms", "resting_hr"]

  /// The figures of one rule in all metrics.
  private struct Figures {
    var quiet: QuietStudy
    var changed: ChangeStudy
    var unchanged: ChangeStudy
  }

  private struct Entry {
    var name: String
    /// Nil where a rule has no usual threshold.
    var own: Figures?
    /// Nil for the subject.
    var matched: Figures?
  }

  func measure() async -> Section {
    let plan = ChangePlan(size: 1.5, length: 30, metrics: laboratory.allMetrics)
    var nothing = plan
    nothing.size = 0
    let changed = await laboratory.changed(plan)
    let unchanged = await laboratory.changed(nothing)
    func figures(_ detector: some EpisodeDetector) async -> Figures {
      Figures(
        quiet: await QuietStudy(quiet, detector: detector),
        changed: await ChangeStudy(changed, detector: detector),
        unchanged: await ChangeStudy(unchanged, detector: detector))
    }
    func entry(_ detector: some TunableDetector, hasOwn: Bool = true) async -> Entry {
      laboratory.report("rate of \(detector.name)")
      let matched = await RateMatching.matched(
        detector, on: quiet, counts: subjectQuiet.metrics.map(\.episodes))
      return Entry(
        name: detector.name, own: hasOwn ? await figures(detector) : nil,
        matched: await figures(matched))
    }
    var entries = [
      Entry(name: laboratory.subject.name, own: await figures(laboratory.subject), matched: nil)
    ]
    for profile in laboratory.profiles.dropLast() {
      entries.append(await entry(ScaledProfileDetector(profile)))
    }
    let rules: [any PeerRule] = [NightSignalRule(), EARSRule(), EWMARule(), CUSUMRule()]
    for rule in rules {
      entries.append(await entry(PeerDetector(rule, population: laboratory.population)))
    }
    for countsJump in [false, true] {
      let rule = KnownCUSUMRule(size: 1.5, countsJump: countsJump)
      entries.append(
        await entry(PeerDetector(rule, population: laboratory.population), hasOwn: false))
    }
    return Section(tables: ["peers": table(entries)])
  }

  private func table(_ entries: [Entry]) -> String {
    let subject = laboratory.subject.name
    var table = MarkdownTable([
      "metric, rule", "own rate: false episodes per series-year", "found", "found by chance",
      "median delay", "at \(subject)'s rate: found", "median delay",
    ])
    for name in Self.shown {
      guard let metric = laboratory.population.index(of: name) else { continue }
      for entry in entries where name == "resting_hr" || entry.name != "NightSignal" {
        var row = ["\(name), \(entry.name)"]
        if let own = entry.own {
          let delays = own.changed.metrics[metric].delays
          row += [
            own.quiet.rate(own.quiet.metrics[metric]).text(2), delays.share().text(2),
            own.unchanged.metrics[metric].delays.share().estimate.text(2),
            delays.median.estimate.text(0),
          ]
        } else {
          row += ["", "", "", ""]
        }
        if let matched = entry.matched {
          let delays = matched.changed.metrics[metric].delays
          row += [delays.share().text(2), delays.median.estimate.text(0)]
        } else {
          row += ["", ""]
        }
        table.add(row)
      }
    }
    return table.text
  }
}
