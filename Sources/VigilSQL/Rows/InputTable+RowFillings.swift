public import VigilStorage

extension InputTable {
  /// The fillings of statements about rows of any input table of days: its name, the column of the day, and
  /// what says who has computed a row.
  ///
  /// Vigil writes rows of scores too; those of its own are no input.
  public var rowFillings: SQLFillings {
    [
      "table": .name(name), "date": .name(dayColumn),
      "origin": .expression(self == .vitalityScores ? .column("source") : .null),
    ]
  }
}
