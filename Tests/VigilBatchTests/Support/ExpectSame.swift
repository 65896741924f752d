import Testing

/// Compares two dumps and names the first rows that differ.
func expectSame(
  _ found: [String], _ expected: [String], _ label: String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let isSame = found == expected
  let missing = Set(expected).subtracting(found).sorted()
  let extra = Set(found).subtracting(expected).sorted()
  #expect(
    isSame,
    """
    \(label) missing \(missing.count): \(missing.first ?? "") \
    extra \(extra.count): \(extra.first ?? "")
    """,
    sourceLocation: sourceLocation)
}
