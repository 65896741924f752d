import VigilModel

/// Follows the overdue doses of one medication that is taken rarely: each is an alert by itself (specification,
/// evidence-doses.md section 7).
struct RareDoseFold {
  let settings: DoseEvidenceSettings
  let window: FoldWindow
  /// The episodes of the series that the database holds.
  let stored: [Episode]
  /// Index of the series in the input.
  let seriesIndex: Int

  /// - Parameters:
  ///   - medication: The medication.
  ///   - first: The first day that is known of it.
  ///   - unrecorded: Days on which doses without a record are no misses.
  func run(
    _ medication: MedicationDays, from first: Day, unrecorded: Set<Day>,
    into result: inout FoldResult
  ) {
    for dose in doses(of: medication, from: first)
    where dose.hasRecord || !unrecorded.contains(dose.day) {
      let opened = dose.day + settings.rareAfterDays
      let end = end(of: dose, of: medication)
      guard opened <= window.folded.upperBound, end.map({ $0.day > opened }) ?? true,
        end.map({ $0.day >= window.folded.lowerBound }) ?? true
      else { continue }
      add(dose, from: opened, until: end, to: &result)
    }
  }

  /// The doses of the known days, and one of days before that was overdue and may be still.
  private func doses(of medication: MedicationDays, from first: Day) -> [RareDose] {
    let earlier = stored.filter { known in
      known.activeSince < first && !known.isRetracted && known.isActive
    }
    return earlier.map { known in
      RareDose(
        day: known.activeSince, hasRecord: true, recordedOn: medication.firstTakenOn,
        nextDueOn: medication.firstDueOn)
    } + medication.rare
  }

  /// The end as far as the folded days know it; nil while it is not over.
  private func end(of dose: RareDose, of medication: MedicationDays) -> Episode.Resolution? {
    let ends = [
      (dose.recordedOn, Episode.Resolution.Reason.recovered), (dose.nextDueOn, .superseded),
      (medication.lastDay.map { $0 + 1 }, .noData),
    ].compactMap { day, reason in day.map { Episode.Resolution(day: $0, reason: reason) } }
    // Of ends on one day the first counts, as in the list.
    let first = ends.enumerated().min { ($0.element.day, $0.offset) < ($1.element.day, $1.offset) }
    return first.flatMap { $0.element.day <= window.folded.upperBound ? $0.element : nil }
  }

  private func add(
    _ dose: RareDose, from opened: Day, until end: Episode.Resolution?, to result: inout FoldResult
  ) {
    let last = end.map { $0.day - 1 } ?? window.folded.upperBound
    let days = last - dose.day + 1
    let episode = Episode(
      activeSince: dose.day,
      lastEvaluated: end?.reason == .recovered || end?.reason == .noData
        ? last + 1 : last,
      duration: days, level: .day3,
      figures: EpisodeFigures(
        baseline: .init(value: 0, start: dose.day, end: dose.day, count: 1),
        recent: .init(value: Double(days), start: opened, end: last, count: last - opened + 1),
        deviation: nil),
      resolution: end)
    var levels = FollowedLevels()
    if window.notifying.overlaps(opened...last) {
      let day = window.notifying.clamped(to: opened...last).lowerBound
      levels.reach(
        .day3, on: day, duration: day - dose.day + 1, figures: nil, into: &result)
    }
    levels.add(episode, ofSeries: seriesIndex, to: &result)
  }
}
