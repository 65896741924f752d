/// The common beginning of the names of many ids, which is hashed once.
///
/// ```swift
/// let start = NameStart("pattern_alert_state:")
/// print(start.id(endingWith: "2026-06-24") == UUID(name: "pattern_alert_state:2026-06-24"))  // true
/// ```
public struct NameStart: Sendable {
  private var hash = SHA1()

  public init(_ start: consuming String, namespace: UUID = .vigilNamespace) {
    withUnsafeBytes(of: namespace.uuid) { hash.update($0) }
    start.withUTF8 { hash.update(UnsafeRawBufferPointer($0)) }
  }

  /// `UUID(name:namespace:)` of the beginning and `end` together.
  public func id(endingWith end: consuming String) -> UUID {
    var hash = hash
    end.withUTF8 { hash.update(UnsafeRawBufferPointer($0)) }
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    hash.finalize { digest in
      withUnsafeMutableBytes(of: &bytes) { target in
        target.copyMemory(from: UnsafeRawBufferPointer(rebasing: digest[..<16]))
        target[6] = (target[6] & 0x0f) | 0x50
        target[8] = (target[8] & 0x3f) | 0x80
      }
    }
    return UUID(uuid: bytes)
  }
}
