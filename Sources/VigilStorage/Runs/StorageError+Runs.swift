public import Foundation
import VigilModel

extension StorageError {
  /// What a process throws whose run goes on elsewhere.
  public static func takenOver(_ run: UUID) -> StorageError {
    StorageError(
      .locked,
      "run \(run.lowercased) was taken over by another process while this one had lost its lock",
      hint: "that process ends it; vigil runs shows how")
  }
}
