import Synchronization

/// Values that are made once for each name.
public final class ValuesByName<Value: Sendable>: Sendable {
  private final class Entry: Sendable {
    let value = Mutex<Result<Value, any Error>?>(nil)
  }

  private let entries: Mutex<[String: Entry]>

  public init() { entries = Mutex([:]) }

  /// Begins with the values that another one has.
  public init(copyOf other: ValuesByName) { entries = Mutex(other.entries.withLock(\.self)) }

  /// Returns the value of a name, which the first to ask for it makes; others wait for it.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - make: Makes the value; it may ask for values of other names.
  /// - Throws: What `make` threw, for the others too.
  public func value(of name: String, make: () throws -> Value) throws -> Value {
    let entry = entries.withLock { entries in
      let entry = entries[name] ?? Entry()
      entries[name] = entry
      return entry
    }
    return try entry.value.withLock { value in
      let made = value ?? Result { try make() }
      value = made
      return made
    }.get()
  }
}
