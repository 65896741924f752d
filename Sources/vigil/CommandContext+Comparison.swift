import Foundation
import VigilAnalysis
import VigilBatch
import VigilDetection
import VigilKernels
import VigilModel
import VigilStorage
import VigilVitality

extension CommandContext {
  /// Compares two profiles over some days, with a bar of progress.
  ///
  /// - Parameter persons: Nil for all.
  /// - Throws: `CommandFailure` where it was asked to stop; what `ComparisonEngine.compare()` throws.
  func comparison(
    of profiles: ByProfile<Thresholds>, vitality: VitalitySettings, on days: ClosedRange<Day>,
    of persons: Set<UUID>?, in storage: any Storage
  ) throws -> ProfileComparison {
    BLASLibrary.useOneThread()
    let workers = try AddressSpace.threads()
    interruption.begin()
    let progress = progress("Comparing")
    defer { progress.finish() }
    let (clock, interruption) = (clock, interruption)
    let engine = ComparisonEngine(
      storage: storage, thresholds: profiles, vitality: vitality, days: days, persons: persons,
      workers: workers,
      surroundings: .init(
        now: { clock.now }, zones: zones, shouldStop: { interruption.isRequested },
        progress: { progress.update(done: $0, total: $1) }),
      logger: logger)
    guard let comparison = try engine.compare() else {
      throw CommandFailure(interruption.exitStatus)
    }
    return comparison
  }
}
