import Crypto
public import Foundation

/// The signature of a webhook: HMAC-SHA256 over the seconds, a full stop and the body.
///
/// The receiver computes the same from the header `Vigil-Timestamp` and the bytes of the body, compares the two
/// without a shortcut, and refuses a time that is long ago.
public struct WebhookSignature: Sendable {
  private let key: SymmetricKey

  public init(secret: Data) {
    key = SymmetricKey(data: secret)
  }

  /// The value of the header `Vigil-Signature`: `v1=` and 64 hexadecimal digits.
  ///
  /// - Parameters:
  ///   - body: The bytes of the request.
  ///   - seconds: Since 1970, as in `Vigil-Timestamp`.
  public func header(of body: Data, seconds: Int) -> String {
    var code = HMAC<SHA256>(key: key)
    code.update(data: Data("\(seconds).".utf8))
    code.update(data: body)
    return "v1=" + code.finalize().map { Self.digits[Int($0)] }.joined()
  }

  private static let digits = (0..<256).map { value in
    (value < 16 ? "0" : "") + String(value, radix: 16)
  }
}
