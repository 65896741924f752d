import Foundation
import VigilModel

extension Finding {
  /// What there is to say about runs that are recorded as running.
  ///
  /// - Parameters:
  ///   - running: All of them.
  ///   - isHeld: Whether a process holds the lock for the run with this id.
  public static func onRunningRuns(_ running: [RunRecord], isHeld: (String) -> Bool) -> Finding {
    let abandoned = running.filter { !isHeld($0.id.lowercased) }
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
