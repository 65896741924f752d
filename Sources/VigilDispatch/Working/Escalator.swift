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

  /// A window that ended longer ago is not acted upon: the call would come too late.
  static let longestDelaySeconds: Int64 = 24 * 3600

  /// Makes the calls that are due.
  ///
  /// - Parameters:
  ///   - now: The present instant.
  ///   - count: Called with what a transaction has recorded, after each.
  /// - Throws: `StorageError`.
  func run(at now: Timestamp, counting count: (EscalationTally) -> Void) throws {
    count(EscalationTally(notified: try storage.markNotifiedCalls(at: now)))
    for subject in EscalationSubject.allCases {
      for level in AlertLevel.allCases {
        guard let window = policy.windowSeconds(of: subject, at: level) else { continue }
        // A call is due when its window has passed, and its answers count for four hours.
        let end = now.adding(seconds: EscalationCall.lifetimeSeconds - window)
        let alerts = try storage.unansweredAlerts(
          of: subject, at: level, expiringAfter: end.adding(seconds: -Self.longestDelaySeconds),
          until: end, limit: limit)
        for alert in alerts {
          guard
            let course = try storage.escalationCourse(
              of: alert, subject, at: level, asOf: now)
          else {
            continue
          }
          let step = course.next(by: policy, zones: zones, at: now)
          guard let closed = try storage.carryOut(step, of: course, at: now) else { continue }
          count(EscalationTally(of: step, closed: closed))
        }
      }
    }
  }
}
