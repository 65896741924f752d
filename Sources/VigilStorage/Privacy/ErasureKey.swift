public import Foundation
public import VigilModel

/// The key under which a database remembers erased persons without their ids.
///
/// ```swift
/// guard let key = ErasureKey(secret: Data("0123456789abcdef".utf8)) else { return }
/// print(key.id.count, key.digest(of: UUID()).count)  // 16 64
/// ```
public struct ErasureKey: Sendable {
  private let secret: [UInt8]

  /// Nil for a secret of less than 16 bytes.
  public init?(secret: Data) {
    guard secret.count >= 16 else { return nil }
    self.secret = Array(secret)
  }

  /// Which key this is, in 16 hexadecimal digits; it does not reveal the key.
  public var id: String { String(code(of: "vigil erased persons").prefix(16)) }

  /// HMAC-SHA256 of the id of a person, in lower-case hexadecimal digits.
  public func digest(of person: UUID) -> String { code(of: person.lowercased) }

  private func code(of message: String) -> String {
    HMAC.hexadecimal(of: message.utf8, key: secret)
  }
}

/// A person who was erased: one row of `erased_persons`.
public struct ErasedPerson: Sendable, Hashable {
  /// `ErasureKey.digest(of:)`.
  public var digest: String
  /// `ErasureKey.id`.
  public var key: String
  public var erasedAt: Timestamp

  public init(digest: String, key: String, erasedAt: Timestamp) {
    self.digest = digest
    self.key = key
    self.erasedAt = erasedAt
  }

  public init(_ person: UUID, by key: ErasureKey, at now: Timestamp) {
    self.init(digest: key.digest(of: person), key: key.id, erasedAt: now)
  }
}

/// One row of `erasure_requests`.
public struct ErasureRequest: Sendable, Hashable {
  public var person: UUID
  public var requestedAt: Timestamp
  /// Until then it can be revoked.
  public var dueAt: Timestamp

  public init(person: UUID, requestedAt: Timestamp, dueAt: Timestamp) {
    self.person = person
    self.requestedAt = requestedAt
    self.dueAt = dueAt
  }
}
