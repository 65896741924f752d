import Foundation
import Testing
import VigilAlerts
import VigilDetection
import VigilModel
import VigilStorage

@testable import VigilBatch

/// The notifications of events, and what comes over from the events before.
@Suite struct EventMembersTests {
  private let first = Day(ordinal: 20_600)
  private let person = UUID(name: "a person with events")
  private let runID = UUID(name: "a run over events")
  private let then = Timestamp(microseconds: 1_790_000_000_000_000)
  private let profile = Profile(version: "v3-strict", digest: String(repeating: "a", count: 64))

  /// An alert of one metric that opened on the fifth of its days.
  private func alert(
    _ metric: String, since: Int, level: AlertLevel = .day3, through last: Int = 40,
    endedOn end: Int? = nil, contributing: [String]? = nil
  ) -> PatternAlertState {
    let isCombined = contributing != nil
    let start = first + since
    let (opened, duration) = (start + 4, max(5, last - since + 1))
    let anchor = EvidenceAnchor(
      mean: 0, weekdays: .zero, spread: 1, autocorrelation: 0, noise: 1)
    let baseline = EpisodeFigures.Window(value: 50, start: start - 90, end: start - 1, count: 80)
    let recent = EpisodeFigures.Window(value: 40, start: start, end: opened, count: 5)
    let resolution = end.map { Episode.Resolution(day: first + $0, reason: .recovered) }
    let episode: Episode
    if let contributing {
      episode = Episode(
        activeSince: start, lastEvaluated: start + duration - 1, duration: duration, level: level,
        combined: CombinedEvidence(
          openedOn: opened, windowDays: 5, evidence: 6, threshold: 5,
          contributions: contributing.map {
            .init(
              metric: MetricType($0), z: 4, shift: 2, baseline: baseline, recent: recent,
              anchor: anchor)
          }, unchanged: []),
        resolution: resolution)
    } else {
      episode = Episode(
        activeSince: start, lastEvaluated: start + duration - 1, duration: duration, level: level,
        figures: EpisodeFigures(baseline: baseline, recent: recent, deviation: -0.2),
        evidence: EpisodeEvidence(
          openedOn: opened, windowDays: 5, z: 5, threshold: 4, shift: 2, anchor: anchor),
        resolution: resolution)
    }
    return PatternAlertState(
      profile: profile,
      series: SeriesKey(
        user: person, metric: isCombined ? .combined : MetricType(metric),
        pattern: isCombined ? .worse : .drop),
      episode: episode, runID: runID, computedAt: then, createdAt: then, updatedAt: then)
  }

  private func notes(_ levels: (day: Int, level: AlertLevel)...) -> ArraySlice<FoldedLevel> {
    levels.map {
      FoldedLevel(
        episode: 0, day: first + $0.day, level: $0.level, duration: $0.level.rawValue)
    }[...]
  }

  /// A row that is new.
  private func new(
    _ row: PatternAlertState, _ notes: ArraySlice<FoldedLevel> = []
  ) -> ReconciledRow {
    ReconciledRow(row, known: nil, notes: notes)
  }

  /// A row that is stored, with the event that it was in.
  private func stored(
    _ row: PatternAlertState, _ notes: ArraySlice<FoldedLevel> = [],
    change: (inout PatternAlertState) -> Void = { _ in }
  ) -> ReconciledRow {
    var known = row
    change(&known)
    return ReconciledRow(known, known: known, notes: notes)
  }

  /// - Parameter folded: The first folded day, and the last.
  private func plan(
    _ rows: [ReconciledRow], folded: ClosedRange<Int> = 0...40, mode: RunRecord.Mode = .shadow,
    notifiesRecovery: Bool = false, isSilent: Bool = false
  ) -> EventPlan {
    EventPlan(
      of: rows, isGrouping: true,
      window: FoldWindow(wholeHistory: (first + folded.lowerBound)...(first + folded.upperBound)),
      mode: mode, notifiesRecovery: notifiesRecovery, isSilent: isSilent,
      provenance: .init(profile: profile, runID: runID, at: then))
  }

  /// Alert, metric in whose name it is, level and day of each notification.
  private func lines(_ plan: EventPlan, _ names: [UUID: String]) -> [String] {
    plan.notifications.map { planned in
      let outcome = DeliveryRules.outcome(
        of: planned.occasion, in: DeliveryCircumstances(at: .planning, planned.facts))
      let reason = outcome.reason.map { " \($0.rawValue)" } ?? ""
      return "\(names[planned.alertStateID] ?? "?") by \(planned.series.metric)"
        + " \(planned.level.rawValue) on \(planned.evaluatedDay - first)\(reason)"
    }
  }

  private func row(_ id: UUID, in plan: EventPlan) throws -> PatternAlertState {
    try #require(plan.changed.first { $0.id == id })
  }

  // MARK: Notifications

  @Test func anAlertThatJoinsIsNotNotifiedAndARiseIsOnce() throws {
    let steps = alert("steps", since: 10, level: .day14)
    let sleep = alert("sleep_minutes", since: 12, level: .day21)
    let plan = plan([
      new(sleep, notes((16, .day3), (18, .day7), (25, .day14), (32, .day21))),
      new(steps, notes((14, .day3), (16, .day7), (23, .day14))),
    ])
    #expect(
      lines(plan, [steps.id: "steps", sleep.id: "sleep"]) == [
        "steps by steps 3 on 14", "steps by steps 7 on 16", "steps by steps 14 on 23",
        "steps by sleep_minutes 21 on 32",
      ])
    #expect(try row(sleep.id, in: plan).eventID == steps.id)
    #expect(try row(sleep.id, in: plan).shadowNotifiedLevel == nil)
    #expect(try row(steps.id, in: plan).shadowNotifiedLevel == .day21)
    #expect(plan.counts.episodesOpened == 2)
  }

  @Test func whatWasNotifiedLiveCountsOnceItIsEnqueued() throws {
    let steps = alert("steps", since: 10)
    let sleep = alert("sleep_minutes", since: 12, level: .day7)
    let plan = plan([new(steps, notes((14, .day3))), new(sleep, notes((16, .day7)))], mode: .live)
    #expect(plan.notifications.map(\.level) == [.day3, .day7])
    #expect(try row(steps.id, in: plan).lastNotifiedLevel == nil)
  }

  @Test func onOneDayTheNotificationIsOfSeveralMetrics() {
    let steps = alert("steps", since: 10, level: .day7)
    let combined = alert("", since: 10, level: .day7, contributing: ["steps", "hrv_ms"])
    let names = [steps.id: "steps", combined.id: "combined"]
    let together = plan([new(steps, notes((14, .day3))), new(combined, notes((14, .day3)))])
    #expect(lines(together, names) == ["combined by combined 3 on 14"])
    // It joins on the day on which the event rises: it describes the rise, in the name of the event.
    let later = alert("", since: 12, level: .day7, contributing: ["steps", "hrv_ms"])
    let rising = plan([
      new(steps, notes((14, .day3), (16, .day7))), new(later, notes((16, .day7))),
    ])
    #expect(
      lines(rising, names) == ["steps by steps 3 on 14", "steps by combined 7 on 16"])
  }

  @Test func anAlertThatJoinsWithNoticeIsNotifiedOnceInItsOwnName() throws {
    let steps = alert("steps", since: 10, level: .day14)
    let other = alert("", since: 20, level: .day21, contributing: ["hrv_ms", "resting_hr"])
    let names = [steps.id: "steps", other.id: "other"]
    let rows = [
      new(steps, notes((14, .day3), (16, .day7), (23, .day14))),
      new(other, notes((24, .day3), (26, .day7), (33, .day14), (39, .day21))),
    ]
    let whole = plan(rows)
    #expect(
      lines(whole, names) == [
        "steps by steps 3 on 14", "steps by steps 7 on 16", "steps by steps 14 on 23",
        "other by combined 3 on 24", "steps by combined 21 on 39",
      ])
    #expect(try row(other.id, in: whole).shadowNotifiedLevel == .day3)
    #expect(try row(other.id, in: whole).eventID == steps.id)
  }

  @Test func aDismissalOfTheEventSilencesWhatJoins() {
    let steps = alert("steps", since: 10)
    let sleep = alert("sleep_minutes", since: 12, level: .day7)
    let other = alert("", since: 20, contributing: ["hrv_ms", "resting_hr"])
    let plan = plan([
      stored(steps) { $0.dismissedAt = then },
      new(sleep, notes((18, .day7))), new(other, notes((24, .day3))),
    ])
    #expect(
      lines(plan, [steps.id: "steps", other.id: "other"]) == [
        "steps by sleep_minutes 7 on 18 dismissed", "other by combined 3 on 24 dismissed",
      ])
    #expect(plan.changed.allSatisfy { $0.dismissedAt == then })
    #expect(plan.changed.allSatisfy { $0.shadowNotifiedLevel == nil })
  }

  @Test func aSilentRunCountsEveryActiveAlertAndTheEvent() throws {
    let steps = alert("steps", since: 10, endedOn: 30)
    let sleep = alert("sleep_minutes", since: 12, level: .day14)
    let plan = plan(
      [new(steps, notes((14, .day3))), new(sleep, notes((16, .day14)))], isSilent: true)
    #expect(plan.notifications.isEmpty)
    for id in [steps.id, sleep.id] {
      #expect(try row(id, in: plan).lastNotifiedLevel == .day14)
      #expect(try row(id, in: plan).shadowNotifiedLevel == .day14)
    }
  }

  @Test func theEndOfAnEventIsThatOfItsLastAlert() {
    let steps = alert("steps", since: 10, through: 30, endedOn: 34)
    let sleep = alert("sleep_minutes", since: 12, through: 36, endedOn: 40)
    let names = [steps.id: "steps", sleep.id: "sleep"]
    let notified = { (row: inout PatternAlertState) in row.shadowNotifiedLevel = .day3 }
    let ended = plan(
      [
        stored(steps, change: notified),
        ReconciledRow(sleep, known: alert("sleep_minutes", since: 12)),
      ], notifiesRecovery: true)
    #expect(lines(ended, names) == ["steps by sleep_minutes 3 on 40"])
    #expect(ended.notifications.map(\.occasion) == [.recovery])
    let goesOn = plan(
      [stored(steps, change: notified), stored(alert("sleep_minutes", since: 12))],
      notifiesRecovery: true)
    #expect(goesOn.notifications.isEmpty)
  }

  // MARK: Late data

  @Test func anEventThatLosesItsStartGoesOnUnderTheNextAlert() throws {
    var steps = alert("steps", since: 10)
    steps.shadowNotifiedLevel = .day7
    steps.snoozeUntil = first + 60
    var retracted = steps
    retracted.episode.resolution = .init(day: first + 40, reason: .retracted)
    let sleep = alert("sleep_minutes", since: 12, level: .day7)
    let plan = plan([
      ReconciledRow(retracted, known: steps),
      stored(sleep, notes((40, .day7))) {
        $0.eventID = steps.id
        $0.snoozeUntil = steps.snoozeUntil
      },
    ])
    #expect(plan.notifications.isEmpty)
    let next = try row(sleep.id, in: plan)
    #expect(next.startsEvent)
    #expect(next.shadowNotifiedLevel == .day7)
    #expect(next.snoozeUntil == steps.snoozeUntil)
    #expect(try row(steps.id, in: plan).startsEvent)
  }

  @Test func anEarlierAlertThatLateDataAddTakesTheEventOver() throws {
    let sleep = alert("sleep_minutes", since: 12)
    let steps = alert("steps", since: 6)
    let plan = plan([
      stored(sleep, notes((40, .day3))) {
        $0.shadowNotifiedLevel = .day3
        $0.dismissedAt = then
      },
      new(steps, notes((40, .day3))),
    ])
    #expect(plan.notifications.isEmpty)
    let start = try row(steps.id, in: plan)
    #expect(start.shadowNotifiedLevel == .day3)
    #expect(start.dismissedAt == then)
    #expect(try row(sleep.id, in: plan).eventID == steps.id)
  }

  @Test func whatHadOpenedBeforeTheFoldedDaysStaysInItsEvent() {
    let steps = alert("steps", since: 0, through: 3, endedOn: 9)
    let sleep = stored(alert("sleep_minutes", since: 12)) { $0.eventID = steps.id }
    #expect(plan([stored(steps), sleep], folded: 17...40).changed.isEmpty)
    // Within them it would be found to start one.
    #expect(plan([stored(steps), sleep], folded: 16...40).changed.map(\.eventID) == [sleep.row.id])
    // The alert that started it is gone.
    #expect(plan([sleep], folded: 17...40).changed.map(\.eventID) == [sleep.row.id])
  }

  @Test func doseAdherenceIsAnEventOfItsOwn() {
    let doses = alert("dose_adherence_pct", since: 6, level: .day21)
    let steps = alert("steps", since: 10)
    let plan = plan([
      new(doses, notes((10, .day3), (26, .day21))), new(steps, notes((14, .day3))),
    ])
    #expect(
      lines(plan, [doses.id: "doses", steps.id: "steps"]) == [
        "steps by steps 3 on 14", "doses by dose_adherence_pct 3 on 10",
        "doses by dose_adherence_pct 21 on 26",
      ])
  }

  @Test func everyAlertIsAnEventOfItsOwnWhereNoneAreGrouped() {
    let steps = alert("steps", since: 10)
    let sleep = alert("sleep_minutes", since: 12)
    let plan = EventPlan(
      of: [new(steps, notes((14, .day3))), new(sleep, notes((16, .day3)))], isGrouping: false,
      window: FoldWindow(wholeHistory: first...(first + 40)), mode: .shadow,
      provenance: .init(profile: profile, runID: runID, at: then))
    #expect(plan.notifications.map(\.alertStateID) == [steps.id, sleep.id])
    #expect(plan.changed.allSatisfy { $0.startsEvent })
  }
}
