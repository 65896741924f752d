/// The limits of tables of results; their constraints are the same.
public enum RowBounds {
  public static let counts = 0...1_000_000_000_000_000
  /// Years 1 to 9999 have fewer.
  public static let dayCounts = 0...4_000_000
}
