import VigilAnalysis
import VigilLaboratory

/// False and found episodes of doses, by kinds of people and of changes.
struct DoseSection {
  let laboratory: Laboratory

  private struct Change {
    var name: String
    var kind: DoseHabit.Kind
    var missedShare: Double
    var length: Int
  }

  private static let changes = [
    Change(name: "stop of 28 days", kind: .never, missedShare: 1, length: 28),
    Change(name: "stop of 28 days", kind: .forgetful, missedShare: 1, length: 28),
    Change(name: "stop of 28 days", kind: .several, missedShare: 1, length: 28),
    Change(name: "stop of 56 days", kind: .weekly, missedShare: 1, length: 56),
    Change(name: "stop of 5 days", kind: .never, missedShare: 1, length: 5),
    Change(name: "stop of 5 days", kind: .forgetful, missedShare: 1, length: 5),
    Change(name: "40 % missed for 28 days", kind: .seldom, missedShare: 0.4, length: 28),
    Change(name: "40 % missed for 28 days", kind: .several, missedShare: 0.4, length: 28),
    Change(name: "50 % missed for 28 days", kind: .forgetful, missedShare: 0.5, length: 28),
  ]

  func measure() async -> Section {
    Section(tables: ["doses-false": await falseEpisodes(), "doses-found": await found()])
  }

  private func falseEpisodes() async -> String {
    let detectors = laboratory.doses
    var table = MarkdownTable(
      ["people"] + detectors.map { "\($0.name), false episodes" }
        + ["\(subject.name), notifications", "\(subject.name), one medication not taken"])
    var all = detectors.map { _ in [QuietHabitStudy]() }
    var streaks: [QuietHabitStudy] = []
    for kind in DoseHabit.Kind.allCases {
      let corpus = await DoseCorpus(
        kind.habit, seed: laboratory.seed, people: 0..<laboratory.people,
        dayCount: Laboratory.quietDays)
      for (index, detector) in detectors.enumerated() {
        all[index].append(await QuietHabitStudy(corpus, detector: detector))
      }
      let streak = await QuietHabitStudy(corpus, detector: subject, isOneMedication: true)
      streaks.append(streak)
      table.add(row(kind.rawValue, all.map { $0[$0.count - 1] }, streak))
    }
    table.add(
      row("**all**", all.map(QuietHabitStudy.init(joining:)), QuietHabitStudy(joining: streaks)))
    return table.text
  }

  private func row(
    _ name: String, _ studies: [QuietHabitStudy], _ streaks: QuietHabitStudy
  ) -> [String] {
    [name] + studies.map { $0.rate().text(3) }
      + [studies[studies.count - 1].notificationRate().text(3), streaks.rate().text(3)]
  }

  private func found() async -> String {
    var table = MarkdownTable(["change", "people", "found", "median delay"])
    for change in Self.changes {
      let corpus = await DoseCorpus(
        change.kind.habit, seed: laboratory.seed,
        people: laboratory.people..<laboratory.people + laboratory.people / 2, dayCount: 330,
        change: { number in
          DoseChange(
            onset: 200 + number % 28, length: change.length, missedShare: change.missedShare)
        })
      let delays = await DoseChangeStudy(corpus, detector: subject).delays
      table.add([
        change.name, change.kind.rawValue, delays.share().text(2), delays.median.text(0),
      ])
    }
    return table.text
  }

  private var subject: DoseDetector { laboratory.doses[laboratory.doses.count - 1] }
}
