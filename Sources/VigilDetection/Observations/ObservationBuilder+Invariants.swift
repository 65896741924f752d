import VigilKernels
import VigilModel

#if VIGIL_CHECK_INVARIANTS
  extension ObservationBuilder {
    /// Stops the process where the day at hand, or what is counted of the rows, contradicts itself.
    func _checkInvariants() {
      precondition(rowsChanged <= rowCount, "more rows have changed than were taken")
      precondition(newestUpdate != nil || rowsChanged == 0, "a row has changed at no time")
      precondition(rowCount > 0 || newestUpdate == nil, "an update of no row")
      precondition(person >= -1 && person < block.personCount, "a person who is not in the block")
      for metric in 0..<metricCount {
        let (cell, bounds) = (cells.pointer[metric], plausible.pointer[metric])
        precondition(person >= 0 || cell.count == 0, "a value of no day")
        precondition((cell.count > 0) == (cell.sources != 0), "a value of no source")
        precondition(cell.count > 0 || cell.value == 0, "a value that is none")
        guard cell.count > 0 else { continue }
        // A mean is a sum until its day is finished.
        precondition(
          merge == .mean
            ? cell.value.isFinite : bounds.lower <= cell.value && cell.value <= bounds.upper,
          "an implausible value was taken")
      }
    }
  }
#else
  extension ObservationBuilder {
    @inline(__always)
    func _checkInvariants() {}
  }
#endif
