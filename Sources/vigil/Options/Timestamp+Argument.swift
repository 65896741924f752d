import ArgumentParser
import VigilModel

extension Timestamp {
  /// Reads the value of an option.
  static func argument(_ text: String) throws -> Timestamp {
    guard let instant = Timestamp(text) else {
      throw ValidationError("'\(text)' is no instant; give one such as 2026-06-30T02:15:00Z")
    }
    return instant
  }
}
