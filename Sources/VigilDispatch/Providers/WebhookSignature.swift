public import Foundation
import VigilModel

/// The signature of a webhook: HMAC-SHA256 over the seconds, a full stop and the body.
///
/// The receiver computes the same from the header `Vigil-Timestamp` and the bytes of the body, compares the two
/// without a shortcut, and refuses a time that is long ago.
public struct WebhookSignature: Sendable {
  private let key: [UInt8]

  public init(secret: Data) {
    key = Array(secret)
  }

  /// The value of the header `Vigil-Signature`: `v1=` and 64 hexadecimal digits.
  ///
  /// - Parameters:
  ///   - body: The bytes of the request.
  ///   - seconds: Since 1970, as in `Vigil-Timestamp`.
  public func header(of body: Data, seconds: Int) -> String {
    "v1=" + HMAC.hexadecimal(of: Array("\(seconds).".utf8) + body, key: key)
  }
}
