/// Codes by which two owners of a key recognize each other's messages: HMAC-SHA256 (RFC 2104).
///
/// ```swift
/// let code = HMAC.hexadecimal(of: Array("message".utf8), key: Array("0123456789abcdef".utf8))
/// print(code.count)  // 64
/// ```
public enum HMAC {
  /// The bytes of a block of SHA-256.
  private static let blockSize = 64

  /// The code of a message, in lower-case hexadecimal digits.
  ///
  /// - Complexity: O(length of the message and the key).
  public static func hexadecimal(of message: some Sequence<UInt8>, key: [UInt8]) -> String {
    let short = key.count > blockSize ? SHA256.digest(of: key) : key
    let padded = short + [UInt8](repeating: 0, count: blockSize - short.count)
    let inner = SHA256.digest(of: padded.map { $0 ^ 0x36 } + Array(message))
    return SHA256.hexadecimal(of: padded.map { $0 ^ 0x5C } + inner)
  }
}
