import JWTKit

/// Signs JSON Web Tokens with a private key.
struct TokenSigner: Sendable {
  private let key: Key

  private enum Key: Sendable {
    case es256(ES256PrivateKey)
    case rs256(Insecure.RSA.PrivateKey)
  }

  /// - Parameter pem: A private key of the curve P-256, such as that of a `.p8` file of Apple.
  /// - Throws: `UnusablePushKey`.
  init(ecdsa pem: String) throws {
    guard let key = try? ES256PrivateKey(pem: pem) else {
      throw UnusablePushKey(
        reason: "is no private key of the curve P-256 as PEM; give the .p8 file that Apple made")
    }
    self.key = .es256(key)
  }

  /// - Parameter pem: A private RSA key, such as that of a service account of Google.
  /// - Throws: `UnusablePushKey`.
  init(rsa pem: String) throws {
    guard let key = try? Insecure.RSA.PrivateKey(pem: pem) else {
      throw UnusablePushKey(
        reason: "has a private_key that is no RSA key as PEM; download the file again")
    }
    self.key = .rs256(key)
  }

  /// Returns the token with its signature.
  func sign(_ claims: some JWTPayload, keyID: String) async throws -> String {
    let keys = JWTKeyCollection()
    let id = JWKIdentifier(string: keyID)
    switch key {
    case .es256(let key): await keys.add(ecdsa: key, kid: id)
    // Not for encryption: Google takes RS256 alone.
    case .rs256(let key): await keys.add(rsa: key, digestAlgorithm: .sha256, kid: id)
    }
    return try await keys.sign(claims, kid: id)
  }
}

/// A key for push messages that cannot be used.
public struct UnusablePushKey: Error, Hashable, CustomStringConvertible {
  /// The end of a sentence whose subject is the file.
  public let reason: String
  public var description: String { reason }
}
