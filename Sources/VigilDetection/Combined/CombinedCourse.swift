import VigilModel

/// The course of an episode of several metrics: each value of a contributing metric is judged against the anchor of
/// the day that opened it (specification, evidence-person.md section 5).
struct CombinedCourse {
  private let settings: EvidenceSettings.Recovery
  private let redundancy: Double
  private var members: [Member]
  /// Evidence for recovery, in nats.
  private(set) var evidence = 0.0
  /// Days with a value in a row of easing.
  private(set) var calmDays = 0
  /// The newest days: 1 as bad as at the opening, 0 as usual.
  private var recent: [Double]
  /// Whether the newest days are closer to what is usual than to the opening.
  private(set) var isEasing = false

  /// A contributing metric.
  private struct Member {
    let judge: EvidenceJudge
    let anchor: EvidenceAnchor
    /// The shift that the episode is taken to have, in personal spreads.
    let shift: Double
    /// The last observation; nil before the first.
    var last: (shift: Double, day: Int32)?
  }

  /// One observation.
  struct Value {
    /// The place of its metric among the contributing ones.
    var member: Int
    var y: Double
    var weekday: UInt8
  }

  /// - Parameters:
  ///   - contributions: With the judge of each metric.
  ///   - redundancy: That of their set.
  ///   - settings: When the episode ends.
  init(
    _ contributions: [(CombinedEvidence.Contribution, EvidenceJudge)], redundancy: Double,
    _ settings: EvidenceSettings.Recovery
  ) {
    self.settings = settings
    self.redundancy = redundancy
    recent = []
    members = contributions.map { contribution, judge in
      Member(
        judge: judge, anchor: contribution.anchor,
        shift: max(
          settings.levels.lowerBound, min(settings.levels.upperBound, contribution.shift)))
    }
  }

  /// Whether the change is over, once it is easing.
  var isOver: Bool {
    isEasing && (evidence >= settings.evidence || calmDays >= settings.calmDays)
  }

  /// The mean of the newest days: 1 as bad as at the opening, 0 as usual.
  var level: Double {
    // Fewer days before than there should be: the earliest is repeated.
    let missing = Double(settings.recentDays - recent.count) * (recent.first ?? 0)
    return (recent.reduce(0, +) + missing) / Double(settings.recentDays)
  }

  /// Takes a day up to the opening, of which only the level counts.
  mutating func begin(_ values: [Value], on day: Int32) {
    note(values.map { value in (value.member, shift(of: value)) }, on: day)
  }

  /// Takes a day before the opening's window, whose value is only the neighbour of those that come.
  mutating func follow(_ value: Value, on day: Int32) {
    members[value.member].last = (shift(of: value), day)
  }

  /// Takes a day after the opening.
  ///
  /// - Parameter values: At least one, of different metrics.
  mutating func take(_ values: [Value], on day: Int32) {
    var (jump, back) = (0.0, 0.0)
    let shifts = values.map { value in (value.member, shift(of: value)) }
    for (index, u) in shifts {
      let member = members[index]
      guard let last = member.last else { continue }
      let p = member.judge.correlation(member.anchor.autocorrelation, over: day - last.day)
      let q = (1 - p * p).squareRoot()
      let v = (u - p * last.shift) / q
      let stay = member.shift * (1 - p) / q
      let scale = 2 * member.anchor.noise * member.anchor.noise
      let unchanged = (v - stay) * (v - stay)
      let turn = v + p * member.shift / q
      jump += (unchanged - turn * turn) / scale
      back += (unchanged - v * v) / scale
    }
    jump /= redundancy
    back /= redundancy
    evidence = max(0, jump, evidence > 0 ? evidence + back : 0)
    note(shifts, on: day)
    isEasing = level < 0.5 - EvidenceJudge.tolerance
    calmDays = isEasing ? calmDays + 1 : 0
  }

  private func shift(of value: Value) -> Double {
    let member = members[value.member]
    return member.judge.shift(of: value.y, weekday: value.weekday, from: member.anchor)
  }

  private mutating func note(_ shifts: [(Int, Double)], on day: Int32) {
    var (sum, expected) = (0.0, 0.0)
    for (index, u) in shifts {
      members[index].last = (u, day)
      sum += u
      expected += members[index].shift
    }
    if recent.count == settings.recentDays { recent.removeFirst() }
    recent.append(sum / expected)
  }
}
