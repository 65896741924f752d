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
    return Section(tables: ["real-people": table.text, "real-events": events()])
  }

  /// The events of the subject and of the strict profile.
  private func events() -> String {
    var table = MarkdownTable([
      "profile", "alerts of several metrics", "alerts", "events", "events per person-year worn",
    ])
    for profile in [laboratory.together, laboratory.strict] {
      var (alerts, combined, events, days) = (0, 0, 0, 0)
      for person in real.people {
        guard
          let block = real.block(
            of: person, metrics: profile.metrics, thresholds: profile.thresholds)
        else { continue }
        days += Set(person.rows.filter { $0.values.contains { $0 > 0 } }.map(\.day)).count
        for event in profile.events(in: block, people: []) {
          events += 1
          alerts += event.alerts.count
          combined += event.alerts.count { $0.metrics.count > 1 }
        }
      }
      table.add([
        profile.name, String(combined), String(alerts), String(events),
        ExactInterval.poisson(count: events, exposure: Double(days) / 365).text(1),
      ])
    }
    return table.text
  }
}
