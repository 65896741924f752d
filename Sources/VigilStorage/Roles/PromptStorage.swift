public import VigilAlerts
public import VigilModel

/// The prompts of which a sender notifies: what persons do, or are about to miss.
///
/// Any number of senders may work at once: each prompt is planned once.
public protocol PromptStorage: Sendable {
  /// Prompts whose notifications no sender has planned, with all that decides about them.
  ///
  /// - Parameters:
  ///   - kinds: The kinds that are looked for.
  ///   - now: The present instant.
  ///   - limit: The largest number of each kind.
  func duePrompts(
    of kinds: some Sequence<Prompt.Kind>, at now: Timestamp, limit: Int
  ) throws -> [Prompt]

  /// Marks pings without an answer, whose time is over, as expired; returns their number.
  func expirePings(at now: Timestamp) throws -> Int

  /// Adds the queue rows of a prompt, and the calls upon responders to an alert, in one transaction.
  ///
  /// - Returns: Whether this sender has planned them; another may have been faster.
  func plan(_ prompt: Prompt, _ notices: [PromptNotice], at now: Timestamp) throws -> Bool
}
