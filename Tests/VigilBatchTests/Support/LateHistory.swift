import Foundation
import TestSupport
import VigilDetection
import VigilModel

/// Random histories of which some days are wrong until a night finds them put right.
///
/// Days are missing, values are wrong or absent, a second source comes late or has to go, rows stand
/// where there should be none, and workouts are unknown. Each mistake is put right within the days
/// that the next night folds; some begin only after a night has seen the right data.
struct LateHistory {
  /// One day of a person as the database holds it.
  struct DayContent: Equatable {
    /// By source, one value a metric.
    var rows: [String: [Double?]] = [:]
    var isWorkout = false
  }

  /// A place that a night finds changed.
  struct Place: Hashable {
    var person: Int
    var day: Day
  }

  struct Mistake {
    enum Kind: CaseIterable {
      case missing, wrongValues, absentValues, noSecondSource, surplusSource, surplusRow, workouts
    }

    var kind: Kind
    var days: ClosedRange<Day>
    var metrics: Set<Int>
    var factor: Double
    /// The nights before which it begins and is put right; it holds from the start where `begins` is
    /// nil.
    var begins: Day?
    var ends: Day
  }

  let histories: RandomHistories
  let nights: ClosedRange<Day>
  private var mistakes: [[Mistake]] = []

  init(
    seed: Int, persons: Int, days: Int, nights count: Int, thresholds: Thresholds
  ) throws {
    histories = try RandomHistories(seed: seed, persons: persons, days: days)
    let last = histories.days.upperBound
    nights = (last - (count - 1))...last
    for person in 0..<persons {
      var random = SeededGenerator(seed: seed * 1000 + person)
      mistakes.append(
        (0..<Int.random(in: 1...4, using: &random)).map { _ in
          let ends = last - (random.chance(0.3) ? 0 : Int.random(in: 0..<count - 1, using: &random))
          let begins = Int.random(in: 1..<count, using: &random)
          let reach = Int.random(in: 0..<thresholds.warmupDays, using: &random)
          let length = Int.random(in: 0...(random.chance(0.5) ? 2 : 14), using: &random)
          return Mistake(
            kind: random.pick(Mistake.Kind.allCases),
            days: (ends - reach)...min(ends - reach + length, last),
            metrics: Set(histories.metrics.indices.filter { _ in random.chance(0.6) }),
            factor: random.pick([0, 0.5, 0.7, 0.8, 0.93, 1.1, 1.3, 2]),
            begins: random.chance(0.3) && nights.lowerBound + begins < ends
              ? nights.lowerBound + begins : nil,
            ends: ends)
        })
    }
  }

  /// The true values of a day.
  func truth(_ place: Place) -> DayContent {
    var content = DayContent()
    let values = histories.series[place.person].map { $0[place.day] }
    if values.contains(where: { $0 != nil }) {
      content.rows["test"] = values
      // Every third person wears a second device on some days, mostly in other ranges.
      if place.person % 3 == 0, place.day.ordinal % 5 < 2 {
        content.rows["zweit"] = values.map { $0.map { ($0 * 1.2).rounded() } }
      }
    }
    content.isWorkout = histories.workouts[place.person].contains(place.day)
    return content
  }

  /// The values of a day in the database when `night` runs.
  func content(_ place: Place, on night: Day) -> DayContent {
    mistakes[place.person].reduce(into: truth(place)) { content, mistake in
      guard mistake.days.contains(place.day), night < mistake.ends,
        mistake.begins.map({ night >= $0 }) ?? true
      else { return }
      mistake.spoil(&content, metricCount: histories.metrics.count)
    }
  }

  /// The days that changed since the night before.
  func changes(before night: Day) -> [Place] {
    var places: Set<Place> = []
    for (person, mistakes) in mistakes.enumerated() {
      for mistake in mistakes where mistake.ends == night || mistake.begins == night {
        for day in mistake.days { places.insert(Place(person: person, day: day)) }
      }
    }
    return places.filter { content($0, on: night) != content($0, on: night - 1) }
      .sorted { ($0.person, $0.day) < ($1.person, $1.day) }
  }
}

extension LateHistory.Mistake {
  func spoil(_ content: inout LateHistory.DayContent, metricCount: Int) {
    switch kind {
    case .missing: content.rows = [:]
    case .wrongValues: change(&content) { ($0 * factor).rounded() }
    case .absentValues: change(&content) { _ in nil }
    case .noSecondSource: content.rows["zweit"] = nil
    case .surplusSource:
      content.rows["zweit"] = content.rows["test"]?.map {
        $0.map { ($0 * max(1.1, factor)).rounded() }
      }
    case .surplusRow:
      if content.rows.isEmpty {
        content.rows["test"] = (0..<metricCount).map { 40 * factor + Double($0) }
      }
    case .workouts: content.isWorkout.toggle()
    }
  }

  private func change(_ content: inout LateHistory.DayContent, _ value: (Double) -> Double?) {
    content.rows = content.rows.mapValues { old in
      old.enumerated().map { metrics.contains($0) ? $1.flatMap(value) : $1 }
    }
  }
}
