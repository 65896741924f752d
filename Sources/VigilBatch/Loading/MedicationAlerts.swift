import VigilModel
import VigilStorage

/// The stored alerts about the medications of a batch, of all profiles, read once for all that goes on from them.
struct MedicationAlerts {
  private let states: [PatternAlertState]
  private let first: Day

  /// - Parameters:
  ///   - persons: The persons of the batch.
  ///   - day: Those that are active are read, and those that were touched on this day or later.
  ///   - reader: For the alerts.
  /// - Throws: `StorageError`.
  init(of persons: [UUID], touchedSince day: Day, from reader: any StorageReader) throws {
    first = day
    states = try reader.alertStatesOfMedications(of: persons, touchedSince: day)
  }

  /// Returns the alerts that are active, or were touched on a day or later; nil for a day before those that were read.
  func touched(since day: Day) -> [PatternAlertState]? {
    guard day >= first else { return nil }
    return states.filter { state in
      state.episode.isActive || state.episode.lastEvaluated >= day
        || state.episode.resolution.map { $0.day >= day } ?? false
    }
  }
}
