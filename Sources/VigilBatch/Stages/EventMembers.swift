import Foundation
import VigilAlerts
import VigilDetection
import VigilModel
import VigilStorage

/// The alerts of one event.
///
/// The alert that started the event has, for all of them, the level that members were notified of and what they
/// have set. One that joined with notice has its own level besides.
struct EventMembers {
  /// In the order of their openings.
  private(set) var rows: [ReconciledRow]
  private let entries: [EventEntry]
  private let startIndex: Int

  /// The event of an alert that is in one by itself.
  init(alone row: ReconciledRow) {
    rows = [row]
    entries = [.starts]
    startIndex = 0
  }

  private init(_ rows: [ReconciledRow], entries: [EventEntry]) {
    self.rows = rows
    self.entries = entries
    startIndex = rows.firstIndex { $0.row.startsEvent } ?? 0
  }

  /// The alert that started the event.
  var start: PatternAlertState { rows[startIndex].row }

  // MARK: Events of a person

  /// Returns the events of one person; a retracted alert is one of its own, and so is one of dose adherence.
  ///
  /// Missed doses are not what an illness does to several metrics at once, and often go on for months: members
  /// are notified of them and of a change of the body, whichever comes first.
  ///
  /// - Parameters:
  ///   - rows: All alerts of the person that an event of the folded days may have.
  ///   - window: What had opened before its folded days stays in its event.
  static func events(of rows: [ReconciledRow], in window: FoldWindow) -> [EventMembers] {
    let supported = rows.filter(\.canBeOfEvent)
    let ids = Set(supported.map(\.row.id))
    let alerts = supported.map { member in
      let isSettled =
        member.row.episode.openedOn < window.folded.lowerBound
        || member.row.isLaterThan(window.folded.upperBound)
      let event = isSettled ? member.known?.eventID : nil
      return EventAlert(
        id: member.row.id, metric: member.row.series.metric, member.row.episode,
        settledEvent: event.flatMap { ids.contains($0) ? $0 : nil })
    }

    let known = Dictionary(
      rows.compactMap { row in row.known.map { ($0.id, $0) } }, uniquingKeysWith: { $1 })
    var starts: [UUID] = []
    var members: [UUID: [(row: ReconciledRow, entry: EventEntry)]] = [:]
    for (index, membership) in EventMembership.byOpening(of: alerts) {
      var member = supported[index]
      member.row.eventID = membership.event
      if members[membership.event] == nil { starts.append(membership.event) }
      members[membership.event, default: []].append((member, membership.entry))
    }
    let events = starts.map { start in
      let own = members[start] ?? []
      var event = EventMembers(own.map(\.row), entries: own.map(\.entry))
      event.inherit(from: known)
      return event
    }
    return events
      + rows.filter { !$0.canBeOfEvent }.map { member in
        var alone = member
        alone.row.eventID = alone.row.id
        return EventMembers(alone: alone)
      }
  }

  /// Takes over what the events had in which the alerts were before, `known` by the id of the alert.
  ///
  /// Late data may give an event another start; members have been notified of it all the same, and what they
  /// have set was meant for what is going on.
  private mutating func inherit(from known: [UUID: PatternAlertState]) {
    let event = start.id
    let before = Set(rows.compactMap { $0.known?.eventID }).subtracting([event])
      .compactMap { known[$0] }
    var levels = NotifiedLevels(of: start)
    for earlier in before { levels.raise(to: NotifiedLevels(of: earlier)) }
    levels.apply(to: &rows[startIndex].row)
    var response = MemberResponse(of: start)
    if rows[startIndex].known?.eventID != event {
      for earlier in before { response.merge(MemberResponse(of: earlier)) }
    }
    for index in rows.indices where index == startIndex || rows[index].known?.eventID != event {
      response.apply(to: &rows[index].row)
    }
  }

  // MARK: Notifications

  /// Makes every active alert count as notified at its level, in both modes.
  mutating func countAsNotified() {
    for index in rows.indices where rows[index].row.episode.isActive {
      let level = rows[index].row.episode.level
      for place in [index, startIndex] {
        var levels = NotifiedLevels(of: rows[place].row)
        levels.raise(to: NotifiedLevels(live: level, shadow: level))
        levels.apply(to: &rows[place].row)
      }
    }
  }

  /// Plans the notifications of the event: of its start, of every rise of its level, and of each alert that
  /// joined with notice.
  ///
  /// The level of an event is the highest of its alerts. Of a rise one notification is planned, in the name of
  /// the alert that started the event; it describes the alert that has the level. In shadow, what is planned
  /// counts as notified at once; live, when it is enqueued at the end of the run.
  ///
  /// - Parameters:
  ///   - mode: Which notified levels count.
  ///   - limits: By metric, the absolute limit below which its values deviate.
  mutating func plannedLevels(
    in mode: RunRecord.Mode, limits: [MetricType: Double]
  ) -> [PatternAlertNotification] {
    guard rows.contains(where: { !$0.notes.isEmpty }) else { return [] }
    var planned: [PatternAlertNotification] = []
    var notified = rows.map { NotifiedLevels(of: $0.row)[mode] }
    for day in Set(rows.flatMap { $0.notes.map(\.day) }).sorted() {
      var rise: (described: Int, note: FoldedLevel)?
      for (index, note) in notes(on: day) {
        if entries[index] == .joinsWithNotice, notified[index] == nil {
          planned.append(notification(of: note, by: index, causedBy: index, limits))
          if outcome(of: note, notified: nil) == .send { notified[index] = note.level }
        } else if rise.map({ note.level > $0.note.level }) ?? true {
          rise = (index, note)
        }
      }
      guard let rise else { continue }
      switch outcome(of: rise.note, notified: notified[startIndex]) {
      case .send: notified[startIndex] = rise.note.level
      case .repeated: continue
      case .wait, .withhold, .discarded: break
      }
      planned.append(notification(of: rise.note, by: rise.described, causedBy: startIndex, limits))
    }
    if mode == .shadow {
      for index in rows.indices { rows[index].row.shadowNotifiedLevel = notified[index] }
    }
    return planned
  }

  /// The levels that the fold would notify of on a day: first of several metrics together, where that alert has
  /// opened on the day, then in the order of openings.
  private func notes(on day: Day) -> [(index: Int, note: FoldedLevel)] {
    let own = rows.indices.flatMap { index in
      rows[index].notes.filter { $0.day == day }.map { (index: index, note: $0) }
    }
    let isNew = { (index: Int) in
      rows[index].row.series.metric == .combined && rows[index].row.episode.openedOn == day
    }
    return own.filter { isNew($0.index) } + own.filter { !isNew($0.index) }
  }

  /// - Parameters:
  ///   - described: The alert that the notification describes.
  ///   - cause: The alert in whose name it is.
  ///   - limits: By metric, the absolute limit below which its values deviate.
  private func notification(
    of note: FoldedLevel, by described: Int, causedBy cause: Int, _ limits: [MetricType: Double]
  ) -> PatternAlertNotification {
    let alert = rows[described].row
    return PatternAlertNotification(
      series: alert.series, alertStateID: rows[cause].row.id, level: note.level,
      of: alert.episode, evaluatedDay: note.day, duration: note.duration,
      figures: note.figures, limit: limits[alert.series.metric],
      facts: facts(of: note))
  }

  private func facts(of note: FoldedLevel) -> DeliveryFacts {
    var facts = DeliveryFacts(of: start, on: note.day)
    if note.isCovered { facts.insert(.isCovered) }
    return facts
  }

  /// Decides about a level, before its recipients and their channels are known.
  ///
  /// - Parameter notified: The level that members were notified of.
  private func outcome(of note: FoldedLevel, notified: AlertLevel?) -> DeliveryOutcome {
    var facts = facts(of: note)
    if let notified, notified >= note.level { facts.insert(.isNotified) }
    return DeliveryRules.outcome(of: .level, in: DeliveryCircumstances(at: .planning, facts))
  }
}
