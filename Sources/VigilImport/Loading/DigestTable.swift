/// Stores a digest for each of millions of keys, in 27 to 53 bytes a key and half as much again
/// while it grows.
///
/// A hash table with open addressing and linear probing; a fingerprint is its own hash.
struct DigestTable {
  private var keys = [Fingerprint](repeating: .none, count: 1 << 10)
  private var digests = [UInt32](repeating: 0, count: 1 << 10)
  private var count = 0

  /// Stores `digest` for a new key and returns nil; returns the stored digest of a known key.
  mutating func insert(_ digest: UInt32, for key: Fingerprint) -> UInt32? {
    let slot = slot(of: key)
    guard keys[slot] == .none else { return digests[slot] }
    keys[slot] = key
    digests[slot] = digest
    count += 1
    if count * 4 > keys.count * 3 { grow() }
    return nil
  }

  /// The slot of `key`, or the free one that it belongs in.
  private func slot(of key: Fingerprint) -> Int {
    let mask = keys.count - 1
    var slot = Int(truncatingIfNeeded: key.low) & mask
    while keys[slot] != .none, keys[slot] != key {
      slot = (slot + 1) & mask
    }
    return slot
  }

  private mutating func grow() {
    let (oldKeys, oldDigests) = (keys, digests)
    keys = [Fingerprint](repeating: .none, count: oldKeys.count * 2)
    digests = [UInt32](repeating: 0, count: keys.count)
    for (key, digest) in zip(oldKeys, oldDigests) where key != .none {
      let slot = slot(of: key)
      keys[slot] = key
      digests[slot] = digest
    }
  }
}
