import Foundation
import VigilDispatch

extension SecretSource {
  /// The longest secret, in bytes.
  private static let longest = 1 << 16

  /// Reads a password: text, of which a line break at the end is no part.
  ///
  /// - Throws: `CommandFailure` for one that is missing or empty.
  func password() throws -> String { String(decoding: try bytes(), as: UTF8.self) }

  /// Reads the key of signatures.
  ///
  /// - Throws: `CommandFailure` for one that is missing or too short to be secret.
  func signatureKey() throws -> Data {
    let data = try bytes()
    guard data.count >= 16 else {
      throw CommandFailure(
        .badData,
        "the key in \(place) is shorter than 16 bytes; make one with: openssl rand -hex 32")
    }
    return data
  }

  var place: String {
    switch self {
    case .file(let path): path
    case .variable(let name): "the variable \(name)"
    }
  }

  private func bytes() throws -> Data {
    var data: Data
    switch self {
    case .file(let path):
      guard
        let content = FileManager.default.contents(
          atPath: CommandSurroundings.current.path(of: path)), content.count <= Self.longest
      else {
        throw CommandFailure(
          .badData, "the secret in \(path) cannot be read; check its name and permissions")
      }
      data = content
    case .variable(let name):
      guard let text = CommandSurroundings.current.environment[name] else {
        throw CommandFailure(
          .badData, "the variable \(name) is not set; the providers file names it for a secret")
      }
      data = Data(text.utf8)
    }
    while let last = data.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") {
      data.removeLast()
    }
    guard !data.isEmpty else { throw CommandFailure(.badData, "the secret in \(place) is empty") }
    return data
  }
}
