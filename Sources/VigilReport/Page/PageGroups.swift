import Foundation
import VigilModel

/// The people of a page by what is known of them on its last day; each person is in one group.
struct PageGroups {
  /// People with an alert that goes on, those with the highest level and longest episode first.
  private(set) var changed: [UUID] = []
  /// People none of whose alerts deviated on the last day that has a value.
  private(set) var back: [UUID] = []
  /// People without data, with the last day that has data: those who had changed by then first, and of each those who have
  /// been silent longest.
  private(set) var silent: [(person: UUID, lastData: Day)] = []
  /// All people but those who have left.
  let count: Int

  /// Days without a value from which on alerts that wait for data count as no data.
  static let fewestSilentDays = 3

  init(_ content: PageContent) {
    let left = content.left
    let silences = Dictionary(
      content.silences.filter { !left.contains($0.series.user) }.map {
        ($0.series.user, $0.lastSign)
      }, uniquingKeysWith: { min($0, $1) })
    var lastData = silences
    let urgent = Dictionary(grouping: content.alerts.filter(content.isUrgent), by: \.series.user)
    var places: [(person: UUID, weight: (Int, Int, Int))] = []
    for (person, alerts) in urgent where silences[person] == nil && !left.contains(person) {
      let waits = alerts.map { content.courses[$0.id]?.wait }
      let silentSince = waits.compactMap { wait -> Day? in
        if case .noData(let since)? = wait { since } else { nil }
      }
      // A device that has sent nothing for a day or two is no reason to hide a change.
      if silentSince.count == alerts.count, let since = silentSince.min(),
        content.days.upperBound - since + 1 >= Self.fewestSilentDays
      {
        lastData[person] = since - 1
        continue
      }
      places.append((person, Self.weight(alerts)))
    }
    places.sort { $0.weight == $1.weight ? $0.person < $1.person : $0.weight > $1.weight }
    for (person, _) in places {
      let isBack = (urgent[person] ?? []).allSatisfy { alert in
        switch content.courses[alert.id]?.wait {
        case .clean: true
        // The last day with a value did not deviate.
        case .noData(let since): since - 1 > alert.episode.lastDeviating
        case .gaps, .workouts, nil: false
        }
      }
      if isBack { back.append(person) } else { changed.append(person) }
    }
    let hadChanged = Set(
      content.alerts.lazy.filter { alert in
        lastData[alert.series.user].map { content.wasUrgent(alert, onLastData: $0) } ?? false
      }.map(\.series.user))
    silent = lastData.map { ($0.key, $0.value) }.sorted { first, second in
      let isFirst = hadChanged.contains(first.person)
      guard isFirst == hadChanged.contains(second.person) else { return isFirst }
      return (first.lastData, first.person) < (second.lastData, second.person)
    }
    count = Set(content.persons).union(urgent.keys).union(silences.keys).subtracting(left).count
  }

  /// The people in need of attention, in the order of the page.
  var inNeed: [UUID] { changed + back }

  /// The number of people about whom there is nothing to say.
  var usual: Int { count - changed.count - back.count - silent.count }

  private static func weight(_ alerts: [PatternAlertState]) -> (Int, Int, Int) {
    (
      alerts.map(\.episode.level.rawValue).max() ?? 0, alerts.map(\.episode.duration).max() ?? 0,
      alerts.count
    )
  }
}
