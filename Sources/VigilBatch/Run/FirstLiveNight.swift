import VigilStorage

extension BatchEngine {
  /// Refuses the first live night over alerts of shadow nights, until they count as notified.
  ///
  /// The rate limit alone does not stop it: a small family is below what a live run may always send. A run
  /// that is continued or shared finds alerts that a live run has written, which do not count.
  ///
  /// - Throws: `BatchError` with `.neverNotified`, so that nothing of the transaction stays.
  func requireNotifiedAlerts(_ runs: any RunTransaction) throws {
    guard request.scope.mode == .live, request.scope.parts.contains(.patterns) else { return }
    let count = try runs.alertsNeverNotified()
    guard count == 0 else { throw BatchError.neverNotified(count, of: storage.displayName) }
  }
}
