import Foundation

/// The system's words for the current `errno`.
func lastSystemError() -> String {
  String(cString: strerror(errno))
}

/// The last part of a path, which is the name of a file in messages.
func fileName(_ path: String) -> String {
  URL(fileURLWithPath: path).lastPathComponent
}
