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
  /// The deadline on a wall clock where the patient is.
  var local: LocalTime
  var line: Int

  /// What the export calls a dose.
  enum Status: String, CaseIterable {
    case onTime = "ONTIME"
    case late = "LATE"
    case early = "EARLY"
    case missed = "MISSED"
    /// The reminders were switched off for some days.
    case paused = "PAUSED"
    /// Nothing is known yet.
    case pending = "PENDING"

    /// What a record of the dose says; nil where there is none to make.
    ///
    /// Whether a taken dose was late is for Vigil to say, by the two times.
    var recorded: DoseRecord.Status? {
      switch self {
      case .onTime, .late, .early: .taken
      case .missed: .missed
      case .paused: .plannedSkip
      case .pending: nil
      }
    }
  }

  /// What a wall clock shows.
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
