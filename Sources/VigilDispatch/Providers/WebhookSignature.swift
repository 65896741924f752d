import CCrypto
public import Foundation

/// The signature of a webhook: HMAC-SHA256 over the seconds, a full stop and the body.
///
/// The receiver computes the same from the header `Vigil-Timestamp` and the bytes of the body, compares the two
/// without a shortcut, and refuses a time that is long ago.
public struct WebhookSignature: Sendable {
  private let key: [UInt8]

  public init(secret: Data) {
    key = Array(secret)
  }

  /// The value of the header `Vigil-Signature`: `v1=` and 64 hexadecimal digits; nil where libcrypto fails, which it
  /// does without memory.
  ///
  /// - Parameters:
  ///   - body: The bytes of the request.
  ///   - seconds: Since 1970, as in `Vigil-Timestamp`.
  public func header(of body: Data, seconds: Int) -> String? {
    let message = Array("\(seconds).".utf8) + body
    var code = [UInt8](repeating: 0, count: 32)
    var count = 0
    let isMade =
      EVP_Q_mac(
        nil, "HMAC", nil, "SHA256", nil, key, key.count, message, message.count, &code, code.count,
        &count) != nil
    guard isMade, count == code.count else { return nil }
    return "v1=" + code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
