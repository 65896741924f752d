public import Foundation
import VigilModel

/// The key under which a log knows telephone numbers again without having them.
///
/// ```swift
/// guard let key = NumberKey(secret: Data("0123456789abcdef".utf8)) else { return }
/// print(key.digest(of: "+34600000000").count)  // 64
/// ```
public struct NumberKey: Sendable, Hashable {
  private let secret: [UInt8]

  /// Nil for a secret of less than 16 bytes.
  public init?(secret: Data) {
    guard secret.count >= 16 else { return nil }
    self.secret = Array(secret)
  }

  /// HMAC-SHA256 of a number in the form of E.164, in lower-case hexadecimal digits.
  public func digest(of number: String) -> String {
    HMAC.hexadecimal(of: "vigil number \(number)".utf8, key: secret)
  }
}
