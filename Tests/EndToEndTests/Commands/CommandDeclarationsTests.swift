import Testing

@testable import ArgumentParser
@testable import vigil

/// Checks that the parser of arguments makes by itself in a build without optimization only.
@Suite struct CommandDeclarationsTests {
  /// Names that two options share, positions that none can take, flags that cannot be turned on.
  @Test func everyCommandDeclaresItsArgumentsWell() {
    var left: [any ParsableCommand.Type] = [Vigil.self]
    var count = 0
    while let command = left.popLast() {
      #expect(throws: Never.self, "\(command)") { try command._validate(parent: nil) }
      left += command.configuration.subcommands
      count += 1
    }
    #expect(count > 50)
  }
}
