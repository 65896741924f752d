import ArgumentParser
import VigilModel
import VigilStorage

/// A run, by its id or enough of its beginning.
struct RunIDArgument: ParsableArguments {
  @Argument(help: "The run's id, or enough of its beginning.")
  var id: String

  func validate() throws {
    let isPlausible = id.count >= 4 && id.allSatisfy { $0.isHexDigit || $0 == "-" }
    guard isPlausible else {
      throw ValidationError("'\(id)' is no id of a run; give at least its first four digits")
    }
  }

  /// - Throws: `CommandFailure` unless exactly one run begins like that.
  func run(in storage: some Storage) throws -> RunRecord {
    let beginning = id.lowercased()
    let matches = try storage.runs(limit: .max).filter { $0.id.lowercased.hasPrefix(beginning) }
    guard let run = matches.first else {
      throw CommandFailure(
        .usage, "no run of \(storage.displayName) begins with '\(id)'; vigil runs lists them")
    }
    guard matches.count == 1 else {
      throw CommandFailure(
        .usage, "\(matches.count) runs begin with '\(id)'; give more digits")
    }
    return run
  }
}
