import Foundation

/// The words for the present `errno`.
func lastSystemError() -> String {
  String(cString: strerror(errno))
}

/// The last part of a path, as messages name a file.
func fileName(_ path: String) -> String {
  URL(fileURLWithPath: path).lastPathComponent
}
