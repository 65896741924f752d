import VigilAdherence
public import VigilStorage

extension ExportColumns {
  /// Rows of `dose_analytics`.
  public static let adherence: [ExportColumn<Exported<StoredDoseAnalytics>>] =
    [
      .uuid("id", "The row; the same one has the same id in every database.") { $0.analytics.id },
      .uuid("user_id", "The person.") { $0.analytics.user },
      .text("external_id", "The person's id in the system the data come from.") {
        $0.externalIDs[$0.analytics.user]
      },
      .uuid(
        "medication_id", "The medication, by id only. Missing for all of the person's together."
      ) {
        $0.analytics.medication
      },
      .text("period_kind", "7_days, 30_days, 90_days or calendar_month.") {
        $0.analytics.period.kind.rawValue
      },
      .date("period_start", "The first day of the period.") { $0.analytics.period.days.lowerBound },
      .date("period_end", "The last day of the period.") { $0.analytics.period.days.upperBound },
    ] + counts + rates + [
      .instant("evaluated_at", "The instant as of which doses were missed or pending.") {
        $0.evaluatedAt
      }
    ]

  private static let counts: [ExportColumn<Exported<StoredDoseAnalytics>>] = [
    count("total_doses", "Expected doses: taken, skipped and missed ones.") { $0.expectedDoses },
    count("taken_doses", "Expected doses that were taken.") { $0.takenDoses },
    count("skipped_doses", "Expected doses that the person skipped.") { $0.skippedDoses },
    count("missed_doses", "Expected doses that were missed.") { $0.missedDoses },
    count("planned_skips", "Doses skipped as planned, which are not expected.") { $0.plannedSkips },
    count("pending_doses", "Doses that may still be taken, which are not expected yet.") {
      $0.pendingDoses
    },
    count("on_time_doses", "Doses taken on time.") { $0.onTimeDoses },
    count("late_doses", "Doses taken late.") { $0.lateDoses },
    count("early_doses", "Doses taken early.") { $0.earlyDoses },
    count("extra_doses", "Doses taken that were not expected.") { $0.extraDoses },
    count("as_needed_doses", "Doses taken as needed.") { $0.asNeededDoses },
    count("as_needed_overuse", "Doses as needed that were too many or too soon.") {
      $0.asNeededOveruse
    },
    count("days_expected", unit: "days", "Days with expected doses.") { $0.daysExpected },
    count("days_exact", unit: "days", "Days with exactly the expected doses.") { $0.daysExact },
    count("days_covered", unit: "days", "Days with at least the expected doses.") {
      $0.daysCovered
    },
    count("longest_gap_days", unit: "days", "The longest gap, in which no dose was taken.") {
      $0.longestGapDays
    },
    count("current_gap_days", unit: "days", "The gap that is open at the end of the period.") {
      $0.currentGapDays
    },
    count("drug_holidays", unit: "gaps", "Gaps of three days or more.") { $0.drugHolidays },
    count("missed_streak", "Doses missed in a row at the end of the period.") { $0.missedStreak },
  ]

  private static let rates: [ExportColumn<Exported<StoredDoseAnalytics>>] = [
    rate("adherence_rate", "Taking adherence: taken_doses / total_doses.") { $0.takingAdherence },
    rate("dosing_adherence", "days_exact / days_expected.") { $0.dosingAdherence },
    rate("timing_adherence", "on_time_doses / total_doses.") { $0.timingAdherence },
    rate("pdc", "Proportion of days covered: days_covered / days_expected.") { $0.pdc },
    .boolean("adherent", "Whether pdc is 0.8 or more. Missing where nothing was expected.") {
      $0.analytics.measures.isAdherent
    },
  ]

  private static func count(
    _ name: String, unit: String = "doses", _ meaning: String,
    _ value: @escaping @Sendable (AdherenceMeasures) -> Int
  ) -> ExportColumn<Exported<StoredDoseAnalytics>> {
    .integer(name, unit: unit, meaning) { value($0.analytics.measures) }
  }

  private static func rate(
    _ name: String, _ meaning: String, _ value: @escaping @Sendable (AdherenceMeasures) -> Double?
  ) -> ExportColumn<Exported<StoredDoseAnalytics>> {
    .number(name, unit: "fraction", meaning + " Missing where nothing was expected.") {
      value($0.analytics.measures)
    }
  }
}
