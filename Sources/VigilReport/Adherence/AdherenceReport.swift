public import Foundation
public import VigilAdherence
import VigilModel
public import VigilStorage

/// The output of `vigil adherence`: the share of expected doses that each person took.
public struct AdherenceReport: Sendable {
  let rows: [StoredDoseAnalytics]
  /// The number of all rows that match, shown or not.
  let total: Int
  let period: AdherencePeriod.Kind
  let externalIDs: [UUID: String]
  let emptyText: String

  /// - Parameters:
  ///   - rows: Rows of one kind of period, those of a person one after the other.
  ///   - period: The kind of period of all rows.
  ///   - externalIDs: The ids of persons in the system their data come from.
  ///   - order: The order of the persons.
  ///   - limit: The number of rows to show; nil for all.
  ///   - emptyText: The reason why there are no rows, and the next step.
  public init(
    rows: [StoredDoseAnalytics], period: AdherencePeriod.Kind, externalIDs: [UUID: String] = [:],
    order: AdherenceOrder = .id, limit: Int? = nil, emptyText: String
  ) {
    self.rows = Array(order.sorted(rows, externalIDs: externalIDs).prefix(limit ?? rows.count))
    total = rows.count
    self.period = period
    self.externalIDs = externalIDs
    self.emptyText = emptyText
  }

  /// One figure: its numerator and denominator, and the doses that it leaves out.
  struct Definition {
    var figure: String
    var numerator: String
    var denominator: String
    var exclusions: String

    var fields: JSONFields {
      [
        "figure": figure, "numerator": numerator, "denominator": denominator,
        "exclusions": exclusions,
      ]
    }
  }

  static let definitions = [
    Definition(
      figure: "adherence_rate", numerator: "doses taken", denominator: "doses expected",
      exclusions: "planned skips, pending doses, extra doses, doses as needed"),
    Definition(
      figure: "dosing_adherence",
      numerator: "days with exactly the expected doses taken, and none extra",
      denominator: "days with doses expected", exclusions: "days that expect nothing"),
    Definition(
      figure: "timing_adherence", numerator: "doses taken within their flexibility",
      denominator: "doses expected",
      exclusions: "planned skips, pending doses, extra doses, doses as needed"),
    Definition(
      figure: "pdc", numerator: "days with at least the expected doses taken",
      denominator: "days with doses expected", exclusions: "days that expect nothing"),
  ]
}

extension AdherenceReport: ListReport {
  public func csv() -> String {
    RowEncoder(ExportColumns.adherence, as: .csv).text(of: rows.map { Exported($0, externalIDs) })
  }

  public func text(style: TextStyle) -> String {
    guard !rows.isEmpty else { return emptyText + "\n" }
    var table = TextTable([
      .init("Person"), .init("Medication"), .init("To", rank: 2), .init("Taken", .right),
      .init("Missed", .right), .init("Late", .right, rank: 4), .init("Extra", .right, rank: 7),
      .init("Taking", .right), .init("Dosing", .right, rank: 5), .init("Timing", .right, rank: 3),
      .init("PDC", .right), .init("Gap", .right, rank: 1), .init("Longest", .right, rank: 6),
    ])
    table.rows = rows.map { row in
      let (analytics, measures) = (row.analytics, row.analytics.measures)
      return [
        PersonText.cell(analytics.user, externalIDs),
        .init(analytics.medication?.shortened ?? "all"),
        .init(analytics.period.days.upperBound.description),
        .init(
          "\(NumberText.count(measures.takenDoses)) of \(NumberText.count(measures.expectedDoses))"),
        .init(NumberText.count(measures.missedDoses)),
        .init(NumberText.count(measures.lateDoses)),
        .init(NumberText.count(measures.extraDoses)),
        .init(percent(measures.takingAdherence)),
        .init(percent(measures.dosingAdherence)),
        .init(percent(measures.timingAdherence)),
        .init(percent(measures.pdc)),
        .init(NumberText.count(measures.currentGapDays)),
        .init(NumberText.count(measures.longestGapDays)),
      ]
    }
    let shown =
      rows.count < total
      ? "Shown: the first \(NumberText.count(rows.count)) of \(NumberText.count(total, "row"));"
        + " --limit 0 lists all.\n\n" : ""
    return table.render(style) + "\n" + shown + footer
  }

  /// Explains the figures in the words of the table's head.
  private var footer: String {
    """
    Taking  doses taken of doses expected; planned skips and pending doses are in neither
    Dosing  days with exactly the expected doses of days with doses expected
    Timing  doses taken on time of doses expected
    PDC     days with at least the expected doses of days with doses expected; 80 % is adherent
    Gap     days with doses expected and none taken: at the end of the period, and the longest

    """
  }

  private func percent(_ rate: Double?) -> String {
    rate.map { "\(Int(clamping: ($0 * 100).rounded())) %" } ?? "–"
  }
}
