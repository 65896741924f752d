import ArgumentParser
import VigilStorage

extension RunPart {
  /// Reads one of the words of `--only`.
  ///
  /// - Throws: `ValidationError` for another.
  static func argument(_ text: String) throws -> RunPart {
    if let part = RunPart(rawValue: text) { return part }
    let words = allCases.map(\.rawValue).joined(separator: ", ")
    throw ValidationError("'\(text)' is nothing that a run evaluates; use \(words)")
  }
}
