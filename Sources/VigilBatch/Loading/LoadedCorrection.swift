import Foundation
import VigilAdherence
import VigilModel
import VigilStorage

/// A second batch: the input of nights before the evaluated one, of persons whose doses have changed since.
struct LoadedCorrection {
  let persons: [UUID]
  /// The days that may be evaluated again: as far back as the state machine folds.
  let days: ClosedRange<Day>
  let medications: MedicationRows
  /// The rows that those nights have written.
  let stored: StoredDoseTotals
}
