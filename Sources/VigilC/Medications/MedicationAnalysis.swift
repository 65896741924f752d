import VigilAdherence
import VigilModel
import VigilPipeline
import VigilZones

/// Measures the doses of blocks of persons as a backfill over the same days does that begins with an empty database.
///
/// Keeps its working memory from block to block.
final class MedicationAnalysis {
  private let evaluatedAt: Timestamp
  private let stage: AdherenceStage
  private let rows: MedicationRows

  /// - Parameters:
  ///   - days: The evaluated days.
  ///   - dailyDays: The days of daily adherence.
  ///   - evaluatedAt: The instant as of which doses are pending or missed.
  ///   - zones: The rules of time zones.
  ///   - rareDays: When doses are rare, where the detector weighs missed doses.
  ///   - measuresPeriods: Whether measures of periods are wanted, besides daily adherence.
  init(
    over days: ClosedRange<Day>, daily dailyDays: ClosedRange<Day>, evaluatedAt: Timestamp,
    zones: ZoneCatalog, rareDays: Int?, measuresPeriods: Bool
  ) {
    self.evaluatedAt = evaluatedAt
    stage = AdherenceStage(
      AdherenceWindow(
        evaluating: days, evaluatedAt: evaluatedAt, periods: measuresPeriods ? nil : [],
        daily: dailyDays),
      loadedDays: dailyDays, rareDays: Set([rareDays].compactMap(\.self)),
      followsMedications: rareDays != nil, zones: zones)
    rows = MedicationRows(zones: zones)
  }

  /// - Parameters:
  ///   - persons: The persons of a block.
  ///   - staged: Rows of these persons and others.
  func evaluate(_ persons: [PersonRows], of staged: inout StagedMedications) -> DoseFindings {
    rows.fill(Self.ids(of: persons), of: &staged, evaluatedAt: evaluatedAt)
    var measures = stage.evaluate(rows, personCount: persons.count)
    let firstDays = rows.block.firstDays
    measures.analytics.removeAll { row in
      // A period before anything began says nothing.
      firstDays[row.medication ?? row.user].map { $0 > row.period.days.upperBound } ?? true
    }
    return DoseFindings(measures: measures, rows: rows)
  }

  /// The ids of persons; two names may stand for one, whose doses are those of the first.
  private static func ids(of persons: [PersonRows]) -> [UUID] {
    var seen: Set<UUID> = []
    return persons.enumerated().map { place, person in
      seen.insert(person.id).inserted
        ? person.id : UUID(name: "\(person.id.lowercased) again, in place \(place)")
    }
  }
}

extension MedicationRows {
  /// Fills them with the rows of some persons.
  ///
  /// - Parameters:
  ///   - persons: Their ids.
  ///   - staged: Rows of these persons and others.
  ///   - evaluatedAt: The instant as of which doses are pending or missed.
  func fill(_ persons: [UUID], of staged: inout StagedMedications, evaluatedAt: Timestamp) {
    let index = staged.indexed()
    begin(persons, evaluatedAt: evaluatedAt)
    let found = persons.compactMap { index[$0] }
    for own in found { for row in own.medications { add(staged.medications[row]) } }
    for own in found { for row in own.schedules { add(staged.schedules[row]) } }
    for own in found { for row in own.events { add(staged.events[row]) } }
    for own in found { for row in own.adjustments { add(staged.adjustments[row]) } }
    addDoses { intake in
      for own in found { staged.doses.add(own.doses, to: &intake) }
    }
  }
}

/// The measures of the doses of a block of persons, until the next block is evaluated.
struct DoseFindings {
  let measures: AdherenceFindings
  /// The rows that could be used, and those that could not.
  let rows: MedicationRows
}
