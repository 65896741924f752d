/// Everything that is wrong with a thresholds or vitality file, all at once.
///
/// ```swift
/// import VigilDetection
///
/// do {
///   _ = try Thresholds(json: Data(#"{"version": 1}"#.utf8), file: "mine.json", digest: "")
/// } catch let error as ThresholdsError {
///   print(error.file, error.problems[0].path)  // mine.json $.version
/// }
/// ```
public struct ThresholdsError: Error, Hashable, Sendable, CustomStringConvertible {
  package init(file: String, problems: [Problem]) {
    self.file = file
    self.problems = problems
  }

  /// The file as the caller named it.
  public var file: String
  /// In the order of the file's keys; never empty.
  public var problems: [Problem]

  public struct Problem: Hashable, Sendable {
    /// JSON path, such as `$.metrics.steps.rules[0]`.
    public var path: String
    /// The fault, and what is allowed instead.
    public var message: String

    package init(path: String, message: String) {
      self.path = path
      self.message = message
    }
  }

  public var description: String {
    let lines = problems.map { $0.path == "$" ? $0.message : "\($0.path): \($0.message)" }
    if lines.count == 1 { return "\(file): \(lines[0])" }
    return "\(file): \(lines.count) problems: " + lines.joined(separator: "; ")
  }
}
