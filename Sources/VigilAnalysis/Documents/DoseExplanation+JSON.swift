package import VigilAdherence
package import VigilModel

extension DoseExplanation {
  /// The explanation in JSON, as the command line and the C library have it.
  ///
  /// - Parameter person: The person.
  package func fields(of person: UUID) -> JSONFields {
    [
      "user_id": person,
      "medication_id": medication,
      "date": day,
      "doses": doses.map(\.fields),
      "unexpected_records": extraDoses.map(\.record),
      "periods": analytics.map(\.fields),
    ]
  }
}

extension EvaluatedDose {
  fileprivate var fields: JSONFields {
    [
      "schedule_id": schedule,
      "date": day,
      "scheduled_time": time,
      "outcome": outcome.words,
      "timing": timing?.words,
      "record_id": record,
    ]
  }
}

extension DoseAnalytics {
  fileprivate var fields: JSONFields {
    [
      "period_kind": period.kind.rawValue,
      "period_start": period.days.lowerBound,
      "period_end": period.days.upperBound,
      "taken_doses": measures.takenDoses,
      "skipped_doses": measures.skippedDoses,
      "missed_doses": measures.missedDoses,
      "planned_skips": measures.plannedSkips,
      "pending_doses": measures.pendingDoses,
      "late_doses": measures.lateDoses,
      "early_doses": measures.earlyDoses,
      "extra_doses": measures.extraDoses,
      "days_expected": measures.daysExpected,
      "days_exact": measures.daysExact,
      "days_covered": measures.daysCovered,
      "adherence_rate": measures.takingAdherence,
      "pdc": measures.pdc,
    ]
  }
}

extension DoseOutcome {
  package var words: String {
    switch self {
    case .taken: "taken"
    case .skipped: "skipped"
    case .missed: "missed"
    case .plannedSkip: "planned skip"
    case .pending: "pending"
    }
  }
}

extension DoseTiming {
  package var words: String {
    switch self {
    case .onTime: "on time"
    case .late: "late"
    case .early: "early"
    }
  }
}
