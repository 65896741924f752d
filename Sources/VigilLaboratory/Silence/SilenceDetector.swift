public import VigilDetection
import VigilModel

/// A profile's rules for silence, run night by night through the code of a run.
///
/// Each night knows the rows that have come by then, as the nights of an installation do.
public struct SilenceDetector: Sendable {
  /// The name in reports, such as `v3`.
  public let name: String
  private let settings: InactivitySettings
  private let oneDay: Thresholds

  /// Nil for a profile that does not follow silence.
  ///
  /// - Parameters:
  ///   - name: The name in reports.
  ///   - thresholds: The profile.
  public init?(_ name: String, thresholds: Thresholds) {
    guard let settings = thresholds.inactivity else { return nil }
    self.name = name
    self.settings = settings
    var oneDay = Thresholds(version: thresholds.version, digest: "", metrics: [])
    oneDay.warmupDays = 1
    oneDay.inactivity = settings
    self.oneDay = oneDay
  }

  /// Returns the alerts of people, by person.
  func episodes(in people: [SimulatedWear.Days]) -> [[DetectedEpisode]] {
    guard let dayCount = people.first?.isWorn.count, dayCount > 0 else { return [] }
    let first = Corpus.firstDay
    let fold = BlockSilenceFold([.inactivity(settings)])
    let signs = SignsOfLife(
      personCount: people.count, days: first...(first + (dayCount - 1)))
    var result = FoldResult()
    var stored: [Int: Episode] = [:]
    var notified: [Int: AlertLevel] = [:]
    var found = [[DetectedEpisode]](repeating: [], count: people.count)
    // By night, the days that come on it.
    var coming = [[(person: Int, day: Int)]](repeating: [], count: dayCount)
    for (person, days) in people.enumerated() {
      for day in 0..<dayCount where days.isWorn[day] && days.nights[day] < dayCount {
        coming[days.nights[day]].append((person, day))
      }
    }
    for night in 0..<dayCount {
      for (person, day) in coming[night] {
        signs.addWorn(
          person: person, day: first + day, came: first + people[person].comings[day])
        // A late row ends the alert on its own day, before the day that is judged.
        if day < night, var alert = stored[person], alert.isActive,
          alert.activeSince <= first + day
        {
          alert.resolution = .init(day: first + day, reason: .recovered)
          stored[person] = alert
          found[person].endLast(on: day)
        }
      }
      let today = first + night
      fold.fold(
        signs: signs, over: FoldWindow(evaluating: today...today, thresholds: oneDay),
        stored: stored.mapValues { [$0] }, into: &result)
      for folded in result.episodes {
        let isNew = stored[folded.series]?.activeSince != folded.episode.activeSince
        if isNew {
          notified[folded.series] = nil
          found[folded.series].append(
            DetectedEpisode(
              series: folded.series, opened: night, resolved: nil, level: 3, notifications: 0))
        }
        stored[folded.series] = folded.episode
        if folded.episode.resolution != nil { found[folded.series].endLast(on: night) }
      }
      for reached in result.levels {
        let person = result.episodes[reached.episode].series
        guard notified[person].map({ $0 < reached.level }) ?? true else { continue }
        notified[person] = reached.level
        let last = found[person].count - 1
        found[person][last].notifications += 1
        found[person][last].level = max(found[person][last].level, reached.level.rawValue)
      }
    }
    return found
  }
}

extension [DetectedEpisode] {
  fileprivate mutating func endLast(on day: Int) {
    self[count - 1].resolved = day
  }
}
