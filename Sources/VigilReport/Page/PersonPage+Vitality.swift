import Foundation
import VigilAdherence
import VigilCharts
import VigilModel
import VigilStorage
import VigilWords

/// Scores and doses of the person.
extension PersonPage {
  /// The total and the scores of its parts, each with its trend.
  var scores: StackedStrips? {
    let rows = Dictionary(details.scores.map { ($0.day, $0) }, uniquingKeysWith: { $1 })
    let parts: [(pillar: Pillar?, score: (VitalityScore) -> Int?)] = [
      (nil, \.total), (.sleep, \.sleep), (.movement, \.movement), (.stress, \.stress),
    ]
    let lanes = parts.compactMap { pillar, score -> StackedStrips.Lane? in
      func reading(_ day: Day) -> SeriesStrip.Reading {
        guard let row = rows[day] else { return .noRow }
        return score(row).map { .value(Double($0)) } ?? .noValue
      }
      var strip = SeriesStrip(
        label: words.label("part_\(pillar?.rawValue ?? "total")"), unit: "", days: days,
        readings: days.map(reading),
        earlier: (1...6).reversed().map { reading(days.lowerBound - $0) })
      guard !strip.values.isEmpty else { return nil }
      let trends = details.insights.filter { $0.pillar == pillar && !$0.isSlight }
      strip.language = language
      strip.usual = trends.lazy.compactMap(\.baseline).first.map { SeriesStrip.Usual(value: $0) }
      return StackedStrips.Lane(
        strip,
        note: trends.isEmpty && pillar != nil
          ? words.label("no_trend") : trends.map(text(of:)).sorted().joined(separator: ", "))
    }
    guard !lanes.isEmpty else { return nil }
    var stacked = StackedStrips(title: words.label("scores"), axis: .points, lanes: lanes)
    stacked.language = language
    return stacked
  }

  var calendar: AdherenceCalendar? {
    let doses = details.days
    guard !doses.dosesTaken.isEmpty else { return nil }
    let taken = days.map { day in
      doses.days.contains(day) ? doses.dosesTaken[day - doses.days.lowerBound] : nil
    }
    guard taken.contains(where: { $0 != nil }) else { return nil }
    var calendar = AdherenceCalendar(days: days, taken: taken)
    calendar.skipped = Set(
      days.filter { day in
        guard doses.days.contains(day) else { return false }
        let marks = Set(doses.doses.flatMap { $0.doses[day - doses.days.lowerBound] })
        return marks.contains(.skipped) && !marks.contains(.missed)
      })
    calendar.language = language
    return calendar
  }

  /// The ids of the medications, in the order in which the page numbers them.
  var medicationIDs: [UUID] {
    let measured = details.doses.compactMap(\.analytics.medication)
    return Set(measured + details.days.doses.compactMap { UUID(uuidString: $0.label) }).sorted()
  }

  var lanes: DoseLanes? {
    let (ids, all) = (medicationIDs, details.days)
    let lanes = all.doses.compactMap { lane -> DoseLanes.Lane? in
      guard let place = ids.firstIndex(where: { $0.lowercased == lane.label }) else { return nil }
      let doses = days.map { day in
        all.days.contains(day) ? lane.doses[day - all.days.lowerBound] : []
      }
      guard doses.contains(where: { !$0.isEmpty }) else { return nil }
      return DoseLanes.Lane(label: names.medication(ids[place], number: place + 1), doses: doses)
    }
    guard !lanes.isEmpty else { return nil }
    var drawn = DoseLanes(days: days, lanes: lanes)
    drawn.alerts = doseSpans
    drawn.language = language
    return drawn
  }

  var medications: [PageDocument.Medication] {
    let ids = medicationIDs
    return details.doses.compactMap { row -> (Int, PageDocument.Medication)? in
      guard let id = row.analytics.medication, let place = ids.firstIndex(of: id) else {
        return nil
      }
      let measures = row.analytics.measures
      return (
        place,
        PageDocument.Medication(
          name: names.medication(id, number: place + 1),
          taken: words.count(measures.takenDoses), expected: words.count(measures.expectedDoses),
          rate: measures.takingAdherence.map { words.number($0 * 100) + " %" } ?? "–")
      )
    }
    .sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// The trend in words that follow a pillar's name, with its figures.
  private func text(of trend: TrendInsight) -> String {
    let label = words.label("trend_\(trend.rule.rawValue)")
    if let slope = trend.slope, [.decliningTrend, .improvingTrend].contains(trend.rule) {
      let perWeek = words.number(abs(slope.perDay) * 7)
      return words.text(.trendBy, ["trend": label, "points": perWeek])
    }
    guard let recent = trend.recent, let baseline = trend.baseline else { return label }
    return words.text(
      .trendFrom,
      ["trend": label, "recent": words.number(recent), "usual": words.number(baseline)])
  }
}
