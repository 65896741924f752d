import VigilModel

/// The output of `vigil golive`.
public struct GoLiveReport: Sendable {
  /// The name of the database in messages.
  public let database: String
  public let episodesMarked: Int

  public init(database: String, episodesMarked: Int) {
    self.database = database
    self.episodesMarked = episodesMarked
  }
}

extension GoLiveReport: Report {
  public func text(style: TextStyle) -> String {
    let marked =
      episodesMarked == 0
      ? "Every running episode counted as notified already"
      : "\(NumberText.count(episodesMarked, "running episode")) now count as notified"
        + " at their present level"
    return "\(marked) (\(database.terminalSafe)).\n"
      + TextTable(pairs: [("Next", "vigil run --live, or VIGIL_SHADOW_MODE=false for every night")])
      .render(style)
  }

  public func encode(to encoder: any Encoder) throws {
    let fields: JSONFields = ["database": database, "episodes_marked": episodesMarked]
    try fields.encode(to: encoder)
  }
}
