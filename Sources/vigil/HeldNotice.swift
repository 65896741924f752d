import VigilBatch
import VigilModel
import VigilReport
import VigilStorage

/// The message of a live run whose notifications wait for a decision.
enum HeldNotice {
  static func text(_ outcome: RunOutcome) -> String {
    let id = outcome.run.id.shortened
    return "\(outcome.shard.error ?? "notifications are held back") (--max-notified-persons); alert"
      + " states are written and nothing was enqueued; look at them with"
      + " 'vigil queue list --held', then"
      + " 'vigil runs release \(id)' or 'vigil runs discard \(id)'"
  }
}
