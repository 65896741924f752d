/// The rows that a sender is about to send, in their order.
struct ReadyRows {
  private var rows: [ReadyDelivery] = []
  /// The place of the next one.
  private var place = 0

  var count: Int { rows.count - place }

  var isEmpty: Bool { place == rows.count }

  mutating func add(_ more: [ReadyDelivery]) {
    rows = Array(rows[place...]) + more
    place = 0
  }

  mutating func next() -> ReadyDelivery? {
    guard place < rows.count else { return nil }
    defer { place += 1 }
    return rows[place]
  }

  mutating func removeAll() -> [ReadyDelivery] {
    defer { (rows, place) = ([], 0) }
    return Array(rows[place...])
  }
}
