import VigilModel
public import VigilStorage

extension InputTable {
  /// What is true of the rows that are input, as SQL says it: those that Vigil has computed are none.
  public var isInput: String {
    self == .vitalityScores
      ? "coalesce(CAST(source AS text), '') <> '\(VitalityScore.computedSource)'" : "TRUE"
  }
}
