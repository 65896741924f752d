import VigilAdherence
public import VigilStorage

extension ExportColumns {
  /// Rows of `dose_analytics`.
  public static let adherence: [ExportColumn<Exported<StoredDoseAnalytics>>] =
    [
      .uuid("id") { $0.analytics.id },
      .uuid("user_id") { $0.analytics.user },
      .text("external_id", "The person's id in the system the data come from.") {
        $0.externalIDs[$0.analytics.user]
      },
      .uuid("medication_id") { $0.analytics.medication },
      .text("period_kind") { $0.analytics.period.kind.rawValue },
      .date("period_start") { $0.analytics.period.days.lowerBound },
      .date("period_end") { $0.analytics.period.days.upperBound },
    ] + counts + rates + [
      .instant("evaluated_at") { $0.evaluatedAt }
    ]

  private static let counts: [ExportColumn<Exported<StoredDoseAnalytics>>] = [
    count("total_doses") { $0.expectedDoses },
    count("taken_doses") { $0.takenDoses },
    count("skipped_doses") { $0.skippedDoses },
    count("missed_doses") { $0.missedDoses },
    count("planned_skips") { $0.plannedSkips },
    count("pending_doses") { $0.pendingDoses },
    count("on_time_doses") { $0.onTimeDoses },
    count("late_doses") { $0.lateDoses },
    count("early_doses") { $0.earlyDoses },
    count("extra_doses") { $0.extraDoses },
    count("as_needed_doses") { $0.asNeededDoses },
    count("as_needed_overuse") { $0.asNeededOveruse },
    count("days_expected", unit: "days") { $0.daysExpected },
    count("days_exact", unit: "days") { $0.daysExact },
    count("days_covered", unit: "days") { $0.daysCovered },
    count("longest_gap_days", unit: "days") { $0.longestGapDays },
    count("current_gap_days", unit: "days") { $0.currentGapDays },
    count("drug_holidays", unit: "gaps") { $0.drugHolidays },
    count("missed_streak") { $0.missedStreak },
  ]

  private static let rates: [ExportColumn<Exported<StoredDoseAnalytics>>] = [
    rate("adherence_rate") { $0.takingAdherence },
    rate("dosing_adherence") { $0.dosingAdherence },
    rate("timing_adherence") { $0.timingAdherence },
    rate("pdc") { $0.pdc },
    .boolean("adherent") { $0.analytics.measures.isAdherent },
  ]

  private static func count(
    _ name: String, unit: String = "doses",
    _ value: @escaping @Sendable (AdherenceMeasures) -> Int
  ) -> ExportColumn<Exported<StoredDoseAnalytics>> {
    .integer(name, unit: unit) { value($0.analytics.measures) }
  }

  private static func rate(
    _ name: String, _ value: @escaping @Sendable (AdherenceMeasures) -> Double?
  ) -> ExportColumn<Exported<StoredDoseAnalytics>> {
    .number(name, unit: "fraction") { value($0.analytics.measures) }
  }
}
