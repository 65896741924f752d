import CCrypto

/// The owner of a private key of libcrypto.
///
/// Unchecked because the compiler cannot see it: a key that is read does not change, and each signature has a context
/// of its own.
final class SigningKey: @unchecked Sendable {
  private let key: OpaquePointer

  /// A key of the curve P-256.
  static let p256 = "EC"
  static let rsa = "RSA"

  /// Reads a private key that no password protects; nil for any other text, and for a key that is not of `type`.
  ///
  /// - Parameters:
  ///   - pem: The text of the file.
  ///   - type: `p256`, or `rsa` for one of at least 2048 bits.
  init?(pem: String, type: String) {
    guard let key = Self.read(pem) else { return nil }
    self.key = key
    guard EVP_PKEY_is_a(key, type) == 1, isStrong else { return nil }
  }

  deinit { EVP_PKEY_free(key) }

  private static func read(_ pem: String) -> OpaquePointer? {
    var pem = pem
    return pem.withUTF8 { text in
      guard let source = BIO_new_mem_buf(text.baseAddress, Int32(clamping: text.count)) else {
        return nil
      }
      defer { BIO_free(source) }
      // Without the callback, libcrypto would ask the terminal for a password.
      return PEM_read_bio_PrivateKey(source, nil, { _, _, _, _ in -1 }, nil)
    }
  }

  private var isStrong: Bool {
    if EVP_PKEY_is_a(key, Self.rsa) == 1 { return EVP_PKEY_get_bits(key) >= 2048 }
    var name = [CChar](repeating: 0, count: 64)
    var count = 0
    return EVP_PKEY_get_group_name(key, &name, name.count, &count) == 1
      && name.prefix(count).elementsEqual("prime256v1".utf8.map { CChar($0) })
  }

  /// The signature over the SHA-256 of a message, as JSON Web Tokens have it (RFC 7518, sections 3.3 and 3.4).
  ///
  /// Nil where libcrypto fails, which it does without memory or random numbers.
  func signature(of message: [UInt8]) -> [UInt8]? {
    guard let context = EVP_MD_CTX_new() else { return nil }
    defer { EVP_MD_CTX_free(context) }
    var signature = [UInt8](repeating: 0, count: Int(EVP_PKEY_get_size(key)))
    var count = signature.count
    guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
      EVP_DigestSign(context, &signature, &count, message, message.count) == 1
    else { return nil }
    signature.removeLast(signature.count - count)
    return EVP_PKEY_is_a(key, Self.rsa) == 1 ? signature : Self.numbers(of: signature)
  }

  /// The two numbers of an ECDSA signature in DER, 32 bytes each.
  private static func numbers(of signature: [UInt8]) -> [UInt8]? {
    signature.withUnsafeBufferPointer { bytes in
      var start = bytes.baseAddress
      guard let pair = d2i_ECDSA_SIG(nil, &start, bytes.count) else { return nil }
      defer { ECDSA_SIG_free(pair) }
      var numbers = [UInt8](repeating: 0, count: 64)
      let isWhole = numbers.withUnsafeMutableBufferPointer { target in
        BN_bn2binpad(ECDSA_SIG_get0_r(pair), target.baseAddress, 32) == 32
          && BN_bn2binpad(ECDSA_SIG_get0_s(pair), target.baseAddress.map { $0 + 32 }, 32) == 32
      }
      return isWhole ? numbers : nil
    }
  }
}
