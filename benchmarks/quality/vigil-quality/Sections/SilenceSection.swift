import VigilAnalysis
import VigilLaboratory

/// False alerts of silence, and the days until a real silence is reported, by kinds of people.
struct SilenceSection {
  let laboratory: Laboratory

  func measure() async -> Section {
    guard let detector = laboratory.silence else { return Section() }
    var table = MarkdownTable([
      "people", "days with a device", "false alerts", "notifications",
      "a silence that lasts: reported within 21 days", "silent days until then: median", "90 % by",
    ])
    var all: [QuietHabitStudy] = []
    for kind in WearHabit.Kind.allCases {
      let corpus = await WearCorpus(
        kind.habit, seed: laboratory.seed, people: 0..<laboratory.people,
        dayCount: Laboratory.quietDays)
      let quiet = await QuietHabitStudy(corpus, detector: detector)
      if WearHabit.Kind.usual.contains(kind) { all.append(quiet) }
      let stopped = await WearCorpus(
        kind.habit, seed: laboratory.seed,
        people: laboratory.people..<laboratory.people + laboratory.people / 2, dayCount: 250,
        stop: { 200 + $0 % 28 })
      let delays = await StopStudy(stopped, detector: detector).delays
      table.add([
        kind.rawValue, corpus.wornShare.text(2), quiet.rate().text(3),
        quiet.notificationRate().text(3), delays.share().text(2), delays.median.text(0),
        delays.quantile(0.9).estimate.text(0),
      ])
    }
    let joined = QuietHabitStudy(joining: all)
    table.add([
      "**all but the last**", "", joined.rate().text(3), joined.notificationRate().text(3), "", "",
      "",
    ])
    return Section(tables: ["silence": table.text])
  }
}
