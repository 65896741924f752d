import CVigil
import VigilAdherence
import VigilModel

/// The rows of `VIGIL_ADHERENCE`: the columns of `vigil export adherence` that do not depend on a database.
struct AdherenceTable {
  private var table = ResultTable(
    [
      .text("person"), .text("medication", nullable: true), .text("id"), .text("user_id"),
      .text("medication_id", nullable: true), .text("period_kind"), .date("period_start"),
      .date("period_end"),
    ] + counts.map { .integer($0.name) } + rates.map { .number($0.name, nullable: true) } + [
      .boolean("adherent", nullable: true)
    ])

  private static let counts: [(name: String, value: @Sendable (AdherenceMeasures) -> Int)] = [
    ("total_doses", { $0.expectedDoses }), ("taken_doses", { $0.takenDoses }),
    ("skipped_doses", { $0.skippedDoses }), ("missed_doses", { $0.missedDoses }),
    ("planned_skips", { $0.plannedSkips }), ("pending_doses", { $0.pendingDoses }),
    ("on_time_doses", { $0.onTimeDoses }), ("late_doses", { $0.lateDoses }),
    ("early_doses", { $0.earlyDoses }), ("extra_doses", { $0.extraDoses }),
    ("as_needed_doses", { $0.asNeededDoses }), ("as_needed_overuse", { $0.asNeededOveruse }),
    ("days_expected", { $0.daysExpected }), ("days_exact", { $0.daysExact }),
    ("days_covered", { $0.daysCovered }), ("longest_gap_days", { $0.longestGapDays }),
    ("current_gap_days", { $0.currentGapDays }), ("drug_holidays", { $0.drugHolidays }),
    ("missed_streak", { $0.missedStreak }),
  ]

  private static let rates: [(name: String, value: @Sendable (AdherenceMeasures) -> Double?)] = [
    ("adherence_rate", { $0.takingAdherence }), ("dosing_adherence", { $0.dosingAdherence }),
    ("timing_adherence", { $0.timingAdherence }), ("pdc", { $0.pdc }),
  ]

  mutating func append(_ row: DoseAnalytics, of staged: StagedMedications) {
    table.beginRow()
    table.add(staged.names[row.user] ?? row.user.lowercased)
    table.add(row.medication.map { staged.medicationNames[$0] ?? $0.lowercased })
    table.add(row.id)
    table.add(row.user)
    table.add(row.medication)
    table.add(row.period.kind.rawValue)
    table.add(row.period.days.lowerBound.ordinal)
    table.add(row.period.days.upperBound.ordinal)
    for column in Self.counts { table.add(Int32(clamping: column.value(row.measures))) }
    for column in Self.rates { table.add(column.value(row.measures)) }
    table.add(row.measures.isAdherent)
  }

  mutating func take() -> ArrowArrayStream { table.take() }
}

/// The rows of `VIGIL_UNUSABLE`: input that was left out, and why.
struct UnusableTable {
  private var table = ResultTable([
    .text("table_name"), .text("reason"), .text("key", nullable: true), .integer("rows"),
  ])

  mutating func append(table name: String, reason: String, key: String?, count: Int) {
    table.beginRow()
    table.add(name)
    table.add(reason)
    table.add(key)
    table.add(Int32(clamping: count))
  }

  /// Adds one row for each unusable one that has a name, and one for all others of a reason together.
  mutating func append(_ rows: UnusableRows) {
    for count in rows.counts {
      let named = rows.details.filter { $0.table == count.table && $0.reason == count.reason }
      for row in named {
        append(table: row.table, reason: row.reason.rawValue, key: row.key, count: 1)
      }
      guard count.count > named.count else { continue }
      append(
        table: count.table, reason: count.reason.rawValue, key: nil,
        count: count.count - named.count)
    }
  }

  mutating func take() -> ArrowArrayStream { table.take() }
}
