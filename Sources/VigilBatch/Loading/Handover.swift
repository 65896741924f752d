import Foundation

/// Passes items from threads that fill them to threads that use them, and back to be filled again.
///
/// There are never more items than it was made with, which bounds how far filling runs ahead: a thread
/// that finds none waits. Every wait ends when an item comes, when `close()` is called, and, for an
/// item to use, when the last filling thread has ended.
final class Handover<Item: Sendable>: @unchecked Sendable {
  // Swift's Mutex has no condition to wait on. This one's lock guards all that follows.
  private let condition = NSCondition()
  /// The one that came back last is filled first: its memory is the most likely to be at hand.
  private var empty: [Item]
  /// In the order in which they were filled.
  private var filled: [Item] = []
  private var fillingThreads: Int
  private var hasClosed = false
  private var hasBeenAbandoned = false
  /// Items that it was made with.
  private let itemCount: Int

  /// - Parameter fillingThreads: How many threads will call `fillingEnded()`.
  init(_ items: [Item], fillingThreads: Int) {
    empty = items
    itemCount = items.count
    self.fillingThreads = fillingThreads
  }

  // MARK: Filling

  /// Waits for an item to fill; nil when closed.
  func takeEmpty() -> Item? {
    condition.withLock {
      while !hasClosed, empty.isEmpty { condition.wait() }
      return hasClosed ? nil : empty.popLast()
    }
  }

  func putFilled(_ item: Item) {
    condition.withLock {
      filled.append(item)
      _checkInvariants()
      condition.broadcast()
    }
  }

  /// Says that a filling thread fills nothing any more, for whatever reason.
  func fillingEnded() {
    condition.withLock {
      fillingThreads -= 1
      _checkInvariants()
      condition.broadcast()
    }
  }

  // MARK: Using

  /// Waits for a filled item; nil when closed, or when all have been used and no more will come.
  func takeFilled() -> Item? {
    condition.withLock {
      while !hasClosed, filled.isEmpty, fillingThreads > 0 { condition.wait() }
      return hasClosed || filled.isEmpty ? nil : filled.removeFirst()
    }
  }

  func putEmpty(_ item: Item) {
    condition.withLock {
      empty.append(item)
      _checkInvariants()
      condition.broadcast()
    }
  }

  // MARK: Ending early

  var isClosed: Bool { condition.withLock { hasClosed } }

  /// Hands out nothing any more, not even what is filled.
  func close() {
    condition.withLock {
      hasClosed = true
      condition.broadcast()
    }
  }

  /// Whether the item in hand is of no use any more, because its thread was left behind.
  var isAbandoned: Bool { condition.withLock { hasBeenAbandoned } }

  /// Closes, and has threads that were left behind drop the item in hand.
  func abandon() {
    condition.withLock { hasBeenAbandoned = true }
    close()
  }
}

#if VIGIL_CHECK_INVARIANTS
  extension Handover {
    /// Stops the process where an item was put back twice, or more threads have ended than were to fill.
    private func _checkInvariants() {
      precondition(empty.count + filled.count <= itemCount, "more items than it was made with")
      precondition(fillingThreads >= 0, "a thread has ended that was not to fill")
    }
  }
#else
  extension Handover {
    @inline(__always)
    private func _checkInvariants() {}
  }
#endif
