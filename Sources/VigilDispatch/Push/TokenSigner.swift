import Foundation

/// Signs JSON Web Tokens with a private key (RFC 7515, compact serialization).
struct TokenSigner: Sendable {
  private let key: SigningKey
  private let algorithm: String

  /// - Parameter pem: A private key of the curve P-256, such as that of a `.p8` file of Apple.
  /// - Throws: `UnusablePushKey`.
  init(ecdsa pem: String) throws {
    guard let key = SigningKey(pem: pem, type: SigningKey.p256) else {
      throw UnusablePushKey(
        reason: "is no private key of the curve P-256 as PEM; give the .p8 file that Apple made")
    }
    self.key = key
    algorithm = "ES256"
  }

  /// - Parameter pem: A private RSA key, such as that of a service account of Google.
  /// - Throws: `UnusablePushKey`.
  init(rsa pem: String) throws {
    guard let key = SigningKey(pem: pem, type: SigningKey.rsa) else {
      throw UnusablePushKey(
        reason: "has a private_key that is no RSA key as PEM; download the file again")
    }
    self.key = key
    algorithm = "RS256"
  }

  private struct Header: Encodable {
    var alg: String
    var kid: String
    var typ = "JWT"
  }

  struct NotSigned: Error {}

  /// Returns the token with its signature.
  ///
  /// - Throws: `NotSigned` where libcrypto fails.
  func sign(_ claims: some Encodable, keyID: String) throws -> String {
    let encoder = JSONEncoder.ofBodies
    let header = try encoder.encode(Header(alg: algorithm, kid: keyID))
    let signed = Self.base64(header) + "." + Self.base64(try encoder.encode(claims))
    guard let signature = key.signature(of: Array(signed.utf8)) else { throw NotSigned() }
    return signed + "." + Self.base64(Data(signature))
  }

  /// Base64 with the alphabet for URLs and without padding (RFC 4648, section 5).
  private static func base64(_ data: Data) -> String {
    data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }
}

/// A key for push messages that cannot be used.
public struct UnusablePushKey: Error, Hashable, CustomStringConvertible {
  /// The end of a sentence whose subject is the file.
  public let reason: String
  public var description: String { reason }
}
