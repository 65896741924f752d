public import Foundation
import VigilModel

extension StorageError {
  /// The error of a process whose run goes on in another process.
  public static func takenOver(_ run: UUID) -> StorageError {
    StorageError(
      .locked,
      "run \(run.lowercased) was taken over by another process while this one had lost its lock",
      remedy: .watchRuns)
  }
}
