public import VigilStorage

extension InputTable {
  /// The fillings of statements about rows of any input table of days: its name, the column of the day, and
  /// the column with the origin of a row.
  ///
  /// Vigil also writes scores; its own rows are no input.
  public var rowFillings: SQLFillings {
    [
      "table": .name(name), "date": .name(dayColumn),
      "origin": .expression(self == .vitalityScores ? .column("source") : .null),
    ]
  }
}
