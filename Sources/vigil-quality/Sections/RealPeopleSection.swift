import VigilAnalysis
import VigilDetection
import VigilLaboratory
import VigilModel

/// The episodes of each profile on the days of real people.
struct RealPeopleSection {
  let laboratory: Laboratory
  let real: RealPeople

  private static let shuffles: UInt64 = 50

  func measure() -> Section {
    var table = MarkdownTable([
      "profile", "episodes", "per person-year worn", "weeks in random order, per person-year worn",
    ])
    for profile in laboratory.profiles {
      let worker = profile.makeWorker()
      var (episodes, shuffled, days) = (0, 0, 0)
      for (number, person) in real.people.enumerated() {
        guard
          let block = real.block(
            of: person, metrics: profile.metrics, thresholds: profile.thresholds)
        else { continue }
        days += Set(person.rows.filter { $0.values.contains { $0 > 0 } }.map(\.day)).count
        episodes += worker.episodes(in: block, people: []).count
        for seed in 1...Self.shuffles {
          let other = WeekShuffle.shuffled(block, person: number, seed: seed)
          shuffled += worker.episodes(in: other, people: []).count
        }
      }
      let years = Double(days) / 365
      table.add([
        profile.name, String(episodes),
        ExactInterval.poisson(count: episodes, exposure: years).text(1),
        (Double(shuffled) / Double(Self.shuffles) / years).text(2),
      ])
    }
    return Section(tables: ["real-people": table.text])
  }
}
