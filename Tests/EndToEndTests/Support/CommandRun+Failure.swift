import Testing

extension CommandRun {
  /// Expects an end with `status`, one line on standard error that holds every one of `mentions`,
  /// and no result.
  func expectFailure(
    _ status: Int32, mentioning mentions: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(self.status == status, "\(errors)", sourceLocation: sourceLocation)
    #expect(output == "", sourceLocation: sourceLocation)
    #expect(
      errors.hasPrefix("vigil: ") && errors.hasSuffix("\n")
        && errors.split(separator: "\n").count == 1,
      "not one line: \(errors)", sourceLocation: sourceLocation)
    for mention in mentions {
      #expect(
        errors.contains(mention), "'\(mention)' is not in: \(errors)",
        sourceLocation: sourceLocation)
    }
  }
}
