import ReferenceKernels
import TestPopulation
import Testing
import VigilAnalysis
import VigilDetection
import VigilModel

@testable import VigilLaboratory

/// Events of simulated people, and what they say about a detector.
@Suite struct EventTests {
  /// Against events that are brought together one day after the other.
  @Test func eventsAreThoseOfTheAlertsThatABackfillWrites() async throws {
    let corpus = await Corpus.quiet()
    let detector = ProfileEvents.ofTwoMetrics
    var joined = 0
    for block in corpus.blocks {
      let fold = BlockFold(thresholds: detector.thresholds, metrics: detector.metrics)
      var result = FoldResult()
      fold.fold(
        block.observations, over: FoldWindow(wholeHistory: block.observations.days), into: &result)
      let events = Dictionary(
        grouping: detector.events(in: block.observations, people: block.people), by: \.person)
      let alertsByPerson = Dictionary(
        grouping: result.episodes.indices, by: { result.episodes[$0].series / 3 })
      let levels = Dictionary(grouping: result.newLevels, by: \.episode)
      for person in block.people.indices {
        let own = events[person] ?? []
        let first = block.observations.days.lowerBound
        let alerts = alertsByPerson[person] ?? []
        let rows = alerts.map { index in
          let episode = result.episodes[index].episode
          let metric = result.episodes[index].series % 3
          return ReferenceEvents.Row(
            metric: metric < 2 ? ProfileEvents.twoMetrics[metric] : "combined",
            activeSince: episode.activeSince - first, openedOn: episode.openedOn - first,
            resolvedOn: episode.resolution.map { $0.day - first },
            contributing: episode.combined?.contributions.map(\.metric.rawValue) ?? [])
        }
        let members = ReferenceEvents.members(rows)
        #expect(Set(members.map(\.event)).count == own.count)
        for (event, number) in zip(own, Set(members.map(\.event)).sorted()) {
          let expected = members.filter { $0.event == number }
          joined += expected.count - 1
          #expect(event.alerts.map(\.opened) == expected.map(\.row.openedOn))
          #expect(event.alerts.map(\.isNotified) == expected.map { $0.opening != "joins" })
          let ends = expected.map(\.row.resolvedOn)
          #expect(event.resolved == (ends.contains(nil) ? nil : ends.compactMap(\.self).max()))
          var notifications = expected.count { $0.opening == "joins_with_notice" }
          var level = 0
          for day in 0..<365 {
            let today = expected.compactMap { member -> Int? in
              let index = alerts[rows.firstIndex(of: member.row) ?? 0]
              return (levels[index] ?? []).filter {
                $0.day - first == day
                  && !(member.opening == "joins_with_notice" && day == member.row.openedOn)
              }.map(\.level.rawValue).max()
            }.max()
            if let today, today > level {
              level = today
              notifications += 1
            }
          }
          #expect(event.notifications == notifications && event.level == level)
        }
      }
    }
    #expect(joined > 20, "only \(joined) alerts joined an event")
  }
}
