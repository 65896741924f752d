import Foundation
import VigilModel

/// One row of a pill bottle's export: a dose with a deadline, and when the bottle was opened for it.
struct PillBottleDose {
  var person: PersonID
  var medication: String
  var status: Status
  var deadline: Timestamp
  /// When the bottle was opened.
  var recorded: Timestamp?
  /// The deadline in the patient's local time.
  var local: LocalTime
  var line: Int

  /// The export's word for the outcome of a dose.
  enum Status: String, CaseIterable {
    case onTime = "ONTIME"
    case late = "LATE"
    case early = "EARLY"
    case missed = "MISSED"
    /// The reminders were switched off for some days.
    case paused = "PAUSED"
    /// The outcome is not known yet.
    case pending = "PENDING"

    /// The status of the dose's record; nil where the dose gets no record.
    ///
    /// Vigil itself decides whether a taken dose was late, from the two times.
    var recorded: DoseRecord.Status? {
      switch self {
      case .onTime, .late, .early: .taken
      case .missed: .missed
      case .paused: .plannedSkip
      case .pending: nil
      }
    }
  }

  /// A date and time on a local clock.
  struct LocalTime {
    /// An IANA name.
    var zone: String
    var day: Day
    /// `HH:MM`.
    var time: String

    init(_ instant: Timestamp, in rules: ZoneRules, named zone: String) {
      let shown = Timestamp(microseconds: rules.local(instant.microseconds))
      self.zone = zone
      day = shown.utcDay
      time = String(shown.description.dropFirst("YYYY-MM-DDT".count).prefix("HH:MM".count))
    }
  }
}
