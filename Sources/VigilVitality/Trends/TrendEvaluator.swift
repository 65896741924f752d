public import VigilModel

/// Finds the trend insights of blocks of persons (specification, vitality.md section 2).
///
/// ```swift
/// guard let day = Day("2026-06-30") else { return }
/// let anna = UUID(name: "anna")
/// let scores = ScoreBlock(personCount: 1, days: (day - 20)...day)
/// for back in 0...20 {
///   let sleep = back < 3 ? 55 : 80
///   _ = scores.takeForeign(
///     VitalityScore(
///       user: anna, day: day - back, total: nil, sleep: sleep, movement: nil, stress: nil,
///       schemaVersion: "v1", source: "app"), person: 0)
/// }
/// let trends = TrendEvaluator(settings: TrendSettings()).evaluate(scores, users: [anna], on: day)
/// print(trends[0].coverage)  // 21
/// print(trends[0].insights.map(\.rule.rawValue))  // ["low_streak"]
/// ```
public struct TrendEvaluator: Sendable {
  public let settings: TrendSettings

  public init(settings: TrendSettings) {
    self.settings = settings
  }

  /// The number of days, up to the evaluated one, whose scores are needed.
  public var reachDays: Int { max(settings.windowDays, settings.slope?.windowDays ?? 0) }

  /// Evaluates one day: `evaluate(_:users:adherence:over:)` of that day alone.
  ///
  /// - Returns: One entry a person.
  public func evaluate(
    _ scores: ScoreBlock, users: [UUID], adherence: ObservationBlock? = nil, on day: Day
  ) -> [PersonTrends] {
    evaluate(scores, users: users, adherence: adherence, over: day...day)[0]
  }

  /// Evaluates each of some days.
  ///
  /// Days before `scores` or `adherence` begin count as days without a score.
  ///
  /// - Parameters:
  ///   - scores: The scores of the persons.
  ///   - users: By person of `scores`.
  ///   - adherence: The daily taking adherence, 0...100, as the only series of the same persons; nil
  ///     where nothing is known of it.
  ///   - persons: The persons to evaluate, by index; nil for all.
  ///   - days: The days to evaluate.
  /// - Returns: One array a day, with one entry for each evaluated person.
  /// - Complexity: O(persons x days x window); with slopes also O(window^3) for each pattern of missing
  ///   days.
  public func evaluate(
    _ scores: ScoreBlock, users: [UUID], adherence: ObservationBlock? = nil,
    of persons: [Int]? = nil, over days: ClosedRange<Day>
  ) -> [[PersonTrends]] {
    precondition(users.count == scores.personCount)
    precondition(
      adherence.map { $0.metricCount == 1 && $0.personCount == users.count } ?? true)
    let persons = persons ?? Array(users.indices)
    let courses = ScoreCourses(
      scores, adherence: adherence, persons: persons,
      days: (days.lowerBound - (reachDays - 1))...days.upperBound)
    var found = days.map { _ in
      [PersonTrends](
        repeating: PersonTrends(coverage: 0, daysNeeded: 0, lastScoreDay: nil, insights: []),
        count: persons.count)
    }
    let slopes = self.slopes(of: courses, personCount: persons.count, over: days)
    var pillars = Pillar.allCases.map { _ in PillarCourse() }
    for (person, index) in persons.enumerated() {
      let user = users[index]
      let presence = courses.presence(person: person)
      var coverage = MovingCoverage(length: settings.windowDays)
      for place in pillars.indices {
        pillars[place].load(courses.values(person: person, place: place))
      }
      for index in 0..<courses.dayCount {
        coverage.advance(to: index, presence)
        let day = index - (reachDays - 1)
        guard day >= 0 else { continue }
        found[day][person].coverage = coverage.count
        found[day][person].daysNeeded = max(0, settings.minDays - coverage.count)
        found[day][person].lastScoreDay = coverage.lastDay.map { courses.days.lowerBound + $0 }
        guard coverage.count >= settings.minDays else { continue }
        for place in pillars.indices {
          pillars[place].advance(to: index, length: settings.windowDays)
          let insight = insight(
            of: user, Pillar.allCases[place], pillars[place], index,
            on: days.lowerBound + day, coverage: coverage.count,
            slope: slopes.isEmpty ? nil : slopes[day][place][person])
          if let insight { found[day][person].insights.append(insight) }
        }
      }
    }
    return found
  }

  /// By day, then by pillar, then by person; empty where no rule asks for a slope.
  private func slopes(
    of courses: ScoreCourses, personCount: Int, over days: ClosedRange<Day>
  ) -> [[[SlopeEstimate?]]] {
    guard let slope = settings.slope else { return [] }
    let estimator = SlopeEstimator(settings: slope)
    var values: [Double] = []
    return days.map { day in
      let end = day - courses.days.lowerBound + 1
      return Pillar.allCases.enumerated().map { place, pillar in
        values.removeAll(keepingCapacity: true)
        for person in 0..<personCount {
          // Without its type, this would be the `suffix` of sequences, which goes through all days.
          let window: ArraySlice<Double> = courses.values(person: person, place: place)
            .prefix(end).suffix(slope.windowDays)
          values += window
        }
        return estimator.estimates(
          of: values, smoothingDays: slope.smoothing(of: pillar),
          from: day - (slope.windowDays - 1))
      }
    }
  }

  /// - Parameter index: That of `day` in the course.
  private func insight(
    of user: UUID, _ pillar: Pillar, _ course: PillarCourse, _ index: Int, on day: Day,
    coverage: Int, slope: SlopeEstimate?
  ) -> TrendInsight? {
    guard let last = course.lastDay, index - last <= settings.maxAgeDays,
      let figures = TrendFigures(course, settings: settings),
      let rule = TrendRules(settings: settings).firstMatch(course, figures, slope: slope)
    else { return nil }
    let isRecovered =
      rule.severity == .attention && last == index
      && course.lastValue ?? .nan >= settings.recoveredAt - Tolerance.of(settings.recoveredAt)
    return TrendInsight(
      user: user, pillar: pillar, day: day, rule: rule, recent: figures.recent,
      baseline: figures.baseline, change: figures.change, coverage: coverage,
      confidence: Double(coverage) / Double(settings.windowDays), slope: slope,
      suppressedReason: isRecovered ? .recovered : nil)
  }
}
