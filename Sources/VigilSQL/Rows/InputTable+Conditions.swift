import VigilModel
public import VigilStorage

extension InputTable {
  /// The condition for rows that are input, as SQL: rows that Vigil has computed are not.
  public var isInput: String {
    self == .vitalityScores
      ? "coalesce(CAST(source AS text), '') <> '\(VitalityScore.computedSource)'" : "TRUE"
  }
}
