/// A random history of a person's doses, for comparisons of the twin with the fast detector.
public struct ReferenceDoseCase: Sendable {
  /// The days of the fold.
  public var days: ClosedRange<Int>
  /// Days with doses, in order.
  public var doses: [ReferenceDoses.Observation]
  public var unrecorded: Set<Int>
  /// The planted changes, for the message of a failing test.
  public var events: [String]

  /// Returns a history of 15 to 420 days; equal generators give equal ones.
  ///
  /// People differ in schedule, share of missed doses, and how far misses come together. Up to four changes follow:
  /// stops, falls and rises of the share, gaps, other schedules, days without a record, silences.
  public static func random(using random: inout some RandomNumberGenerator) -> ReferenceDoseCase {
    func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }
    let length = Int.random(in: 15...420, using: &random)
    let start = Int.random(in: 18_000...20_000, using: &random)
    let shareOfPeople: [Double] = [0, 0.01, 0.03, 0.05, 0.1, 0.2, 0.3, 0.9, 1]
    let share = shareOfPeople.randomElement(using: &random) ?? 0
    let stickiness: [Double] = [0, 0.3, 0.8]
    let sticky = stickiness.randomElement(using: &random) ?? 0
    let weekends: [Double] = [1, 1, 2, 4]
    let weekendFactor = weekends.randomElement(using: &random) ?? 1
    let usually = [1, 1, 2, 3, 4].randomElement(using: &random) ?? 1
    var perDay = Array(repeating: usually, count: length)
    if chance(0.15) { for day in 0..<length where day % 7 != 0 { perDay[day] = 0 } }
    if chance(0.2) { for day in 0..<length where day % 2 == 1 { perDay[day] += 1 } }
    var shares = (0..<length).map { day -> Double in
      let isWeekend = [0, 6].contains(ReferenceEvidence.weekday(start + day))
      return min(isWeekend ? share * weekendFactor : share, 1)
    }
    var isLogged = Array(repeating: true, count: length)
    var unrecorded: Set<Int> = []
    var events: [String] = []
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let first = Int.random(in: 0..<length, using: &random)
      let count = [1, 2, 3, 4, 7, 14, 30, 90].randomElement(using: &random) ?? 1
      let range = first..<min(first + count, length)
      let kind = Int.random(in: 0..<9, using: &random)
      events.append("\(kind) on \(range)")
      for day in range {
        switch kind {
        case 0, 1: shares[day] = 1
        case 2: shares[day] = min(1, shares[day] + 0.4)
        case 3: shares[day] = 0.5
        case 4: shares[day] = 0
        case 5: perDay[day] = 0
        case 6: perDay[day] = perDay[day] % 4 + 1
        case 8: if day < first + 6 { shares[day] = 1 } else { perDay[day] = 0 }
        default: isLogged[day] = false
        }
      }
      if kind == 7, chance(0.5) { unrecorded.formUnion(range.map { start + $0 }) }
    }
    var doses: [ReferenceDoses.Observation] = []
    var hasMissed = false
    for day in 0..<length where perDay[day] > 0 {
      var (missed, inferred) = (0, 0)
      for _ in 0..<perDay[day] {
        var likely = shares[day]
        if hasMissed { likely += 3 * sticky * likely * (1 - likely) }
        let misses = !isLogged[day] || chance(likely)
        if misses {
          missed += 1
          if !isLogged[day] || chance(0.7) { inferred += 1 }
        }
        hasMissed = misses
      }
      doses.append(.init(day: start + day, n: perDay[day], k: missed, i: inferred))
    }
    return ReferenceDoseCase(
      days: start...start + length - 1, doses: doses, unrecorded: unrecorded, events: events)
  }
}
