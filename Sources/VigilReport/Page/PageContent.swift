public import Foundation
public import VigilAnalysis
public import VigilCharts
public import VigilDetection
public import VigilModel
public import VigilStorage

/// The rows that a page on a period is made of.
public struct PageContent: Sendable {
  /// The days that are drawn; the last one is the evaluated day.
  public var days: ClosedRange<Day>
  /// The day on which the page is made: a snooze until this day is over.
  public var today: Day
  /// The day on which the page is made.
  public var madeOn: Day
  /// The people that the page is about.
  public var scope = Scope.all
  /// The persons with data in the days.
  public var persons: [UUID]
  /// The episodes of the database's profile that touch the days, as they stood on the last one; retracted ones
  /// are left out.
  public var alerts: [PatternAlertState]
  /// The persons shown in detail, by id; others have no entry.
  public var people: [UUID: Person]
  public var externalIDs: [UUID: String]
  /// The profile of the alerts; nil where no person is shown in detail.
  public var thresholds: Thresholds?
  /// By run, its last evaluated day.
  public var evaluatedDays: [UUID: Day] = [:]
  /// The newest run of the days; nil where none is recorded.
  public var run: RunRecord?
  /// The run before it.
  public var previousRun: RunRecord?
  /// The findings of another profile on the same days; nil where no comparison is wanted.
  public var comparison: Comparison?

  /// The persons who have left.
  public var left: Set<UUID> = []
  /// By alert that calls for attention, how it went and what it waits for, as far as that is known.
  public var courses: [UUID: EpisodeCourse] = [:]

  /// The alerts that stand here as on an earlier day than their rows, by id.
  public var pastAlerts: Set<UUID> = []

  /// The people that a page is about.
  public enum Scope: Hashable, Sendable {
    case all
    /// The accepted members of a family, by the id that was given.
    case family(String)
    /// The people of a list.
    case list
  }

  /// A comparison of the database's profile with another one.
  public struct Comparison: Sendable {
    public var found: ProfileComparison
    public var profiles: ByProfile<Profile>

    public init(_ found: ProfileComparison, of profiles: ByProfile<Profile>) {
      self.found = found
      self.profiles = profiles
    }
  }

  /// The rows of a person who is shown in detail.
  public struct Person: Sendable {
    /// From `PageContent.earlierDays` before the first drawn day on.
    public var days: PersonDays
    public var scores: [VitalityScore]
    /// The measures of the 30 days to the last one.
    public var doses: [StoredDoseAnalytics]
    public var notifications: [QueuedNotification]
    /// Insights of the last day that are not suppressed.
    public var insights: [TrendInsight]
    /// By metric that evidence follows, its place beside what is usual on the last day.
    public var standings: [MetricType: EvidenceStanding]
    /// The limits that are set for the person.
    public var limits: [PersonLimit] = []

    public init(
      days: PersonDays, scores: [VitalityScore] = [], doses: [StoredDoseAnalytics] = [],
      notifications: [QueuedNotification] = [], insights: [TrendInsight] = [],
      standings: [MetricType: EvidenceStanding] = [:]
    ) {
      self.days = days
      self.standings = standings
      self.scores = scores
      self.doses = doses
      self.notifications = notifications
      self.insights = insights
    }
  }

  /// Days before the first drawn one that means and usual values need.
  public static let earlierDays = 41

  public init(
    days: ClosedRange<Day>, today: Day, madeOn: Day, persons: [UUID], alerts: [PatternAlertState],
    people: [UUID: Person] = [:], externalIDs: [UUID: String] = [:], run: RunRecord? = nil,
    previousRun: RunRecord? = nil
  ) {
    self.days = days
    self.today = today
    self.madeOn = madeOn
    self.persons = persons
    self.alerts = alerts
    self.people = people
    self.externalIDs = externalIDs
    self.run = run
    self.previousRun = previousRun
  }

  /// The alerts that call for attention: active on the last day, neither dismissed nor snoozed, of people with data.
  public var urgentAlerts: [PatternAlertState] {
    let inNeed = Set(peopleByAttention)
    return alerts.filter { isUrgent($0) && inNeed.contains($0.series.user) }
  }

  /// The active alerts whose course says what they wait for.
  public var openAlerts: [PatternAlertState] { alerts.filter(isUrgent) }

  /// The active alerts of silence, the longest first; their persons are listed apart.
  var silences: [PatternAlertState] {
    alerts.filter(\.isActiveSilence).sorted {
      ($0.episode.activeSince, $0.series) < ($1.episode.activeSince, $1.series)
    }
  }

  func isUrgent(_ alert: PatternAlertState) -> Bool {
    alert.episode.isActive && isUnanswered(alert)
  }

  /// Whether an alert called for attention when the data of its person ended: it still does, or their absence has ended it
  /// since.
  func wasUrgent(_ alert: PatternAlertState, onLastData day: Day) -> Bool {
    guard let resolution = alert.episode.resolution else { return isUrgent(alert) }
    return resolution.reason == .noData && resolution.day > day && isUnanswered(alert)
  }

  private func isUnanswered(_ alert: PatternAlertState) -> Bool {
    alert.series.metric != .inactivity && alert.dismissedAt == nil
      && !(alert.snoozeUntil.map { $0 > today } ?? false)
  }

  /// Ends alerts of an earlier day with the last day that deviated by then, as their courses know it.
  ///
  /// - Returns: The alerts that this made shorter, whose courses are to be found out again.
  public mutating func shortenPastAlerts() -> [PatternAlertState] {
    alerts.indices.compactMap { index in
      let alert = alerts[index]
      guard pastAlerts.contains(alert.id), alert.episode.isActive,
        let last = courses[alert.id]?.lastDeviating, last < alert.episode.lastDeviating
      else { return nil }
      alerts[index] = alert.lasting(to: last)
      return alerts[index]
    }
  }

  /// The absolute limits of the profile.
  var limits: AlertLimits { AlertLimits([thresholds].compactMap(\.self)) }

  /// The persons who need attention: those who have changed, the one with the highest level and longest episode first,
  /// and then those who get back to normal.
  public var peopleByAttention: [UUID] { PageGroups(self).inNeed }

  /// The persons without data, in the order of the page.
  public var peopleWithoutData: [UUID] { PageGroups(self).silent.map(\.person) }

  /// A hash of the ids of the people; a page for others rounds its counts by it.
  var selection: StableHash {
    var selection = StableHash()
    for person in persons.sorted() { selection.combine(person) }
    return selection
  }
}
