public import Foundation
import VigilModel

extension Finding {
  /// Returns the finding about runs that are recorded as running.
  ///
  /// - Parameters:
  ///   - running: All such runs.
  ///   - atWork: The runs whose processes hold the run lock; nil where that is not known.
  public static func onRunningRuns(_ running: [RunRecord], atWork: Set<UUID>?) -> Finding {
    let abandoned = running.filter { atWork?.contains($0.id) == false }
    guard let first = abandoned.first else {
      return Finding(check: "runs", status: .ok, detail: "none was left behind")
    }
    let others = abandoned.count > 1 ? " (and \(abandoned.count - 1) more)" : ""
    return Finding(
      check: "runs", status: .warning,
      detail: "run \(first.id.lowercased)\(others), which began at \(first.startedAt) on"
        + " \(first.host), is recorded as running and no process holds its lock",
      remedy: "its command again continues it; any other run marks it as interrupted")
  }
}
