public import VigilAdherence
public import VigilDetection
public import VigilModel

/// The input of a block of persons as one profile sees it: observations, signs of life, check-ins and sensitivities.
///
/// Filled again and again; one thread uses one instance.
public final class BlockInput {
  public let profile: ProfilePlan
  public private(set) var persons: [UUID] = []
  /// By person, their first place in the block.
  private var places: [UUID: Int] = [:]
  /// The metrics that come from wearables.
  public let block: ObservationBlock
  /// Counts rows and rejected values.
  public let observations: ObservationBuilder
  /// The days on which the persons gave a sign of life; nil where the profile does not follow them.
  public let signs: SignsOfLife?
  /// By place of a person, their check-ins, where these are followed.
  public private(set) var checkIns: [Int: CheckInHistory] = [:]
  /// By place of a person, where they are not the profile's.
  public var sensitivities: [Int: PersonalSensitivity] = [:]
  /// By place of a person, the limits that are set for them alone.
  public var limits: [Int: [PersonLimit]] = [:]
  /// Whether doses are signs of all persons, and not only of those whom they can matter to.
  public var readsAllDoses = false

  /// - Parameter profile: The profile, and the days of its input.
  public init(_ profile: ProfilePlan) {
    self.profile = profile
    block = ObservationBlock(
      personCount: 0, metricCount: profile.wearableMetrics.count, days: profile.window.loaded)
    observations = ObservationBuilder(
      block: block, metrics: profile.wearableMetrics, thresholds: profile.thresholds,
      wearColumns: profile.wearColumns)
    signs =
      profile.thresholds.inactivity == nil
      ? nil : SignsOfLife(personCount: 0, days: profile.window.loaded)
    observations.signs = signs
  }

  /// Empties it for other persons; their rows come next.
  public func begin(_ persons: [UUID]) {
    self.persons = persons
    places = Dictionary(
      persons.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    signs?.reset(personCount: persons.count)
    observations.wearDays?.reset(personCount: persons.count)
    checkIns = [:]
    sensitivities = [:]
    limits = [:]
    block.reset(personCount: persons.count, days: profile.window.loaded)
    observations.begin()
  }

  // MARK: Signs of life

  /// Takes the check-ins of persons, which are signs of life.
  ///
  /// - Parameter checkIns: By place of a person.
  public func take(_ checkIns: [Int: CheckInHistory]) {
    self.checkIns = checkIns
    guard let signs else { return }
    for (person, history) in checkIns {
      for day in history.days { signs.add(person: person, day: day) }
    }
  }

  /// Adds the days on which doses were taken or skipped to the signs of life of their persons.
  ///
  /// Of a person whose observations alone decide, doses are not looked at: they are many, and change nothing.
  ///
  /// - Parameters:
  ///   - medications: The rows of the same persons, after their observations.
  ///   - hasStoredSilence: Whether an episode of silence of a person is stored, which doses may end.
  public func addDoses(
    of medications: MedicationRows, hasStoredSilence: (_ person: Int) -> Bool = { _ in false }
  ) {
    guard let signs, let settings = profile.thresholds.inactivity else { return }
    let first = profile.window.folded.lowerBound
    let matters = persons.indices.map { person in
      readsAllDoses || hasStoredSilence(person)
        || signs.isSilent(person: person, forDays: settings.minDays, endingSince: first)
    }
    guard matters.contains(true) else { return }
    medications.forEachIntake(ofPersonsWhere: { matters[$0] }) { person, day in
      signs.add(person: person, day: day)
    }
  }

  /// The days on which doses without a record are no misses.
  ///
  /// - Parameters:
  ///   - doses: The doses of the persons; nil where they are not weighed.
  ///   - medications: The medications of the persons by themselves.
  ///   - broken: Days on which the feed of doses is broken.
  public func unrecordedDays(
    of doses: DoseBlock?, _ medications: [MedicationDays] = [], broken: Set<Day> = []
  ) -> UnrecordedDays {
    var days = UnrecordedDays(broken: broken)
    guard let doses, let signs, let settings = profile.thresholds.inactivity else { return days }
    // A silent day has no record of any dose; that it is one matters where some dose has none.
    let rare = Set(
      medications.lazy.filter { $0.rare.contains { !$0.hasRecord } }.map(\.person))
    for person in persons.indices
    where sensitivities[person]?[.inactivity] != .off
      && (rare.contains(person)
        || doses.days(ofPerson: person).contains(where: { $0.isObservation && !$0.hasRecord }))
    {
      let silent = UnrecordedDays.silentDays(ofPerson: person, signs, by: settings)
      if !silent.isEmpty { days.silent[person] = silent }
    }
    return days
  }

  // MARK: Series

  /// The place of a person, of two with one id the first; nil where the block does not have them.
  public func place(of person: UUID) -> Int? { places[person] }

  /// Whether a key is that of a series of the block's persons that the profile can follow.
  public func canFollow(_ key: SeriesKey) -> Bool {
    guard place(of: key.user) != nil else { return false }
    return key.pattern == .medication || key.pattern.isOfLimit || series(of: key) != nil
      || silence(of: key) != nil
  }

  /// The index of the series of silence of a key; nil where it is not of one.
  public func silence(of key: SeriesKey) -> Int? {
    guard key.pattern == .silence, let person = place(of: key.user),
      let place = profile.silences.firstIndex(where: { $0.metric == key.metric })
    else { return nil }
    return person * profile.silences.count + place
  }

  /// The index of the series of metrics of a key; nil where it is not of one.
  public func series(of key: SeriesKey) -> Int? {
    guard let person = place(of: key.user), let place = profile.place(of: key) else { return nil }
    return person * profile.seriesPerPerson + place
  }

  /// The key of the series of silence at an index.
  public func key(ofSilence series: Int) -> SeriesKey {
    let (person, place) = series.quotientAndRemainder(dividingBy: profile.silences.count)
    return SeriesKey(
      user: persons[person], metric: profile.silences[place].metric, pattern: .silence)
  }

  /// The key of the series of metrics at an index.
  public func key(ofSeries series: Int) -> SeriesKey {
    let (person, place) = series.quotientAndRemainder(dividingBy: profile.seriesPerPerson)
    let metrics = profile.metrics
    guard place < metrics.count else {
      return SeriesKey(user: persons[person], metric: .combined, pattern: .worse)
    }
    let metric = metrics[place]
    return SeriesKey(user: persons[person], metric: metric.metric, pattern: metric.pattern)
  }
}
