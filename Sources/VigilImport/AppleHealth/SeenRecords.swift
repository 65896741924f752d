import VigilModel

/// The records of an export so far, in 8 to 22 bytes each: a restored telephone writes them twice.
///
/// Two records are the same where kind, value, source, begin and end are. With five million records, the chance that
/// two different ones count as the same is below 1 in a million.
struct SeenRecords {
  private var keys: [UInt64] = Array(repeating: 0, count: 1 << 10)
  private var count = 0

  /// Remembers the record; false where it was there before.
  ///
  /// Workouts are new each time: their id comes from the person, the day, the activity and the start.
  mutating func isNew(_ record: OpenRecord) -> Bool {
    var hash = StableHash(seed: 0x9E37_79B9_7F4A_7C15)
    func combine(_ word: UInt64) { hash.combine(word, by: 0xA076_1D64_78BD_642F) }
    switch record.content {
    case .quantity(let kind, let value):
      combine(UInt64(kind.rawValue))
      combine(value.bitPattern)
    case .sleep(let stage):
      combine(UInt64(stage.rawValue) | 1 << 32)
    case .workout: return true
    }
    combine(UInt64(record.source))
    combine(UInt64(bitPattern: record.start.instant))
    combine(UInt64(bitPattern: record.end.instant))
    return insert(max(hash.value, 1))
  }

  private mutating func insert(_ key: UInt64) -> Bool {
    let slot = slot(of: key)
    guard keys[slot] == 0 else { return false }
    keys[slot] = key
    count += 1
    if count * 4 > keys.count * 3 { grow() }
    return true
  }

  private func slot(of key: UInt64) -> Int {
    let mask = keys.count - 1
    var slot = Int(truncatingIfNeeded: key) & mask
    while keys[slot] != 0, keys[slot] != key { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func grow() {
    let old = keys
    keys = Array(repeating: 0, count: old.count * 2)
    for key in old where key != 0 { keys[slot(of: key)] = key }
  }
}
