import Foundation
import ReferenceKernels
import ShippedThresholds
import TestSupport
import VigilCharts
import VigilDetection
import VigilModel

@testable import VigilReport

/// The lines of the page for each person on a day, from a file of daily metrics whose days are folded.
struct PersonDayAlerts {
  let table: MetricTable
  let thresholds: Thresholds
  let metrics: [MetricThresholds]
  private let fold: BlockFold
  private let seriesPerPerson: Int
  private let block: ObservationBlock
  /// The values that the profile takes, by person, metric and day of the table; NaN where there is none.
  private let values: [[[Double]]]

  /// Days before the evaluated one that a page knows.
  static let knownDays = 59 + PageContent.earlierDays

  init(_ table: MetricTable, by profile: String) throws {
    self.table = table
    guard let file = ShippedThresholds.named(profile) else { throw NoProfile() }
    thresholds = try Thresholds(json: Data(file), file: profile, digest: "")
    metrics = thresholds.wearableMetrics.filter { table.values.keys.contains($0.metric) }
    fold = BlockFold(thresholds: thresholds, metrics: metrics)
    seriesPerPerson = metrics.count + (thresholds.combined == nil ? 0 : 1)
    block = ObservationBlock(
      personCount: table.persons.count, metricCount: metrics.count, days: table.days)
    values = table.persons.indices.map { [metrics] person in
      metrics.map { own in
        let values = table.values[own.metric]?[person] ?? [:]
        return table.days.map { day in
          values[day].flatMap { own.plausible?.contains($0) ?? true ? $0 : nil } ?? .nan
        }
      }
    }
  }

  struct NoProfile: Error {}

  /// A line with the person whose values it is about.
  struct PersonLine {
    var person: Int
    var days: PersonDays
    var line: AlertLine
  }

  /// A value that the profile takes.
  func value(of metric: MetricType, _ person: Int, on day: Day) -> Double? {
    guard table.days.contains(day), let index = metrics.firstIndex(where: { $0.metric == metric })
    else { return nil }
    let value = values[person][index][day - table.days.lowerBound]
    return value.isNaN ? nil : value
  }

  /// The lines of the alerts that are active on a day, or ended in the 60 days up to it.
  func lines(on last: Day) -> [PersonLine] {
    let days = table.days.lowerBound...last
    block.reset(personCount: table.persons.count, days: days)
    for person in table.persons.indices {
      for index in metrics.indices {
        let series = block.series(person: person, metric: index)
        for day in series.indices { series[day] = values[person][index][day] }
      }
    }
    var result = FoldResult()
    fold.fold(block, over: FoldWindow(wholeHistory: days), into: &result)
    let shown = result.episodes.filter { ($0.episode.resolution?.day ?? last) > last - 60 }
    return Dictionary(grouping: shown) { $0.series / seriesPerPerson }.flatMap { person, folded in
      lines(of: folded, person, on: last)
    }
  }

  private func lines(of folded: [FoldedEpisode], _ person: Int, on last: Day) -> [PersonLine] {
    var courses: [UUID: EpisodeCourse] = [:]
    let alerts = folded.map { folded in
      let place = folded.series % seriesPerPerson
      let own = metrics.indices.contains(place) ? metrics[place] : nil
      let alert = PatternAlertState(
        profile: thresholds.profile,
        series: SeriesKey(
          user: Samples.person(person), metric: own?.metric ?? .combined,
          pattern: own?.pattern ?? .worse), episode: folded.episode, runID: UUID(name: "run"),
        computedAt: Samples.time, createdAt: Samples.time, updatedAt: Samples.time)
      if let own, folded.episode.isActive {
        courses[alert.id] = EpisodeCourse(
          of: folded.episode,
          in: UnsafeBufferPointer(block.series(person: person, metric: place)),
          from: block.days.lowerBound, through: last, by: own, of: thresholds)
      }
      return alert
    }
    let first = max(table.days.lowerBound, last - Self.knownDays)
    let named = Set(alerts.flatMap(\.metrics))
    let days = PersonDays(
      days: first...last,
      series: Dictionary(
        uniqueKeysWithValues: named.map { metric in
          (
            metric,
            (first...last).map { day in
              value(of: metric, person, on: day).map(SeriesStrip.Reading.value) ?? .noRow
            }
          )
        }))
    let limits = AlertLimits([thresholds])
    return [true, false].flatMap { isActive in
      AlertLine.all(
        of: alerts.filter { $0.episode.isActive == isActive }.ranked, on: last, in: days,
        courses: courses, limits: limits, thresholds: thresholds)
    }.map { PersonLine(person: person, days: days, line: $0) }
  }
}
