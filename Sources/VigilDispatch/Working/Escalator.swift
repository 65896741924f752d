import VigilAlerts
import VigilModel
import VigilStorage

/// Looks for alerts without an answer within their windows, and carries out what follows.
///
/// Each step is a transaction of its own: a sender that is killed between two leaves the rest to the next.
struct Escalator {
  let storage: any EscalationStorage
  let policy: EscalationPolicy
  let zones: ZoneCatalog
  /// The largest number of alerts of one kind and level in one look.
  var limit = 500

  /// Makes the calls that are due.
  ///
  /// - Parameters:
  ///   - now: The present instant.
  ///   - count: Called with what a transaction has recorded, after each.
  /// - Throws: `StorageError`.
  func run(at now: Timestamp, counting count: (EscalationTally) -> Void) throws {
    count(EscalationTally(notified: try storage.markNotifiedCalls(at: now)))
    let chosen = try storage.chosenWindows()
    for subject in EscalationSubject.allCases {
      for level in AlertLevel.allCases {
        let windows = policy.windows(
          of: subject, at: level, chosen: chosen[level] ?? [], at: now)
        for alert in try storage.unansweredAlerts(of: subject, at: level, in: windows, limit: limit)
        {
          guard
            var course = try storage.escalationCourse(
              of: alert.id, subject, at: level, asOf: now)
          else {
            continue
          }
          course.chosen = alert.chosen
          let step = course.next(by: policy, zones: zones, at: now)
          guard let closed = try storage.carryOut(step, of: course, at: now) else { continue }
          count(EscalationTally(of: step, closed: closed))
        }
      }
    }
  }
}
