import CVigil

/// Why a call of the library failed: a status of `vigil.h` and a text for its caller.
struct Failure: Error {
  let status: vigil_status
  let message: String

  private init(_ status: Int32, _ message: String) {
    self.status = status
    self.message = message
  }

  static func argument(_ message: String) -> Failure { Failure(VIGIL_BAD_ARGUMENT, message) }
  static func settings(_ message: String) -> Failure { Failure(VIGIL_BAD_SETTINGS, message) }
  static func data(_ message: String) -> Failure { Failure(VIGIL_BAD_DATA, message) }
  static func order(_ message: String) -> Failure { Failure(VIGIL_BAD_ORDER, message) }
  static func stream(_ message: String) -> Failure { Failure(VIGIL_STREAM_FAILED, message) }
}
