import VigilAlerts
import VigilModel
import VigilStorage

/// Plans the notifications of prompts, and ends pings without an answer.
///
/// Each prompt is a transaction of its own: a sender that is killed between two leaves the rest to the next.
struct PromptPlanner {
  let storage: any PromptStorage
  let zones: ZoneCatalog
  /// The largest number of prompts of one kind in one look.
  var limit = 500

  /// Returns the number of prompts of some kinds that this sender has planned.
  ///
  /// - Throws: `StorageError`.
  func run(_ kinds: [Prompt.Kind] = Prompt.Kind.allCases, at now: Timestamp) throws -> Int {
    _ = try storage.expirePings(at: now)
    return try storage.duePrompts(of: kinds, at: now, limit: limit).reduce(0) { planned, prompt in
      let isOurs = try storage.plan(prompt, prompt.notices(zones: zones, at: now), at: now)
      return isOurs ? planned + 1 : planned
    }
  }
}
