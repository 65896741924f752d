public import Foundation
public import VigilAdherence
public import VigilModel

/// Takes rows of medications, schedules, doses and changes of zone as a reader finds them.
///
/// Rows come after those they belong to: medications first, then schedules and changes of zone, then the
/// rest. Whether a row can be used is for the sink to say.
public protocol MedicationRowSink: AnyObject {
  associatedtype Doses: DoseRowSink

  /// One row of `medications`.
  func add(_ row: UncheckedMedication)

  /// One row of `schedules`.
  ///
  /// - Returns: Whether its adjustments and versions are of use.
  func add(_ row: UncheckedSchedule) -> Bool

  /// One row of `timezone_events`.
  func add(_ row: UncheckedTimezoneEvent)

  /// One row of `schedule_adjustments`.
  func add(_ row: UncheckedAdjustment)

  /// One row of `schedule_versions`; rows of a schedule come in order of their days.
  ///
  /// - Returns: False for a document that is not the named schedule: the row is corrupt.
  func add(_ row: StoredScheduleVersion) -> Bool

  /// The last day of a person that a run has evaluated.
  func addEvaluatedDay(_ day: Day, of person: UUID)

  /// The times of the doses to read of some medications, whose rows were added: those given, and earlier ones that
  /// a finding needs.
  func doseTimes(
    _ times: ClosedRange<Timestamp>, of medications: [UUID]
  ) -> ClosedRange<Timestamp>

  /// The rows of `dose_history` that `body` adds; they come by the million.
  func addDoses(_ body: (inout Doses) throws -> Void) rethrows
}

/// Takes rows of doses as a reader finds them.
public protocol DoseRowSink {
  /// One row of `dose_history`; rows of one medication, status and zone after the other are the fastest.
  mutating func add(_ row: UncheckedDose)
}

extension DoseIntake: DoseRowSink {}
extension MedicationRows: MedicationRowSink {}
