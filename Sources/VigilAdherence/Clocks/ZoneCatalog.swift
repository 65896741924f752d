import Foundation
import Synchronization
public import VigilModel

/// The time zones that rows name, each built once and shared by all threads.
public final class ZoneCatalog: Sendable {
  private struct State {
    var ids: [String: ZoneID?] = [:]
    var zones: [ZoneRules] = []
    var names: [String] = []
  }

  private let state = Mutex(State())

  public init() {}

  /// The number of a zone; nil for a name that is none of the IANA database.
  ///
  /// - Complexity: O(1) for a name that was asked for before; some milliseconds the first time.
  public func id(of name: String) -> ZoneID? {
    state.withLock { state in
      if let known = state.ids[name] { return known }
      guard let zone = TimeZone(identifier: name), state.zones.count <= Int(UInt16.max) else {
        state.ids[name] = .some(nil)
        return nil
      }
      let id = ZoneID(rawValue: UInt16(state.zones.count))
      state.zones.append(ZoneRules(zone))
      state.names.append(name)
      state.ids[name] = id
      return id
    }
  }

  /// The name that `id(of:)` numbered.
  public func name(of zone: ZoneID) -> String { state.withLock { $0.names[Int(zone.rawValue)] } }

  /// All zones by the raw value of their numbers.
  func zones() -> [ZoneRules] { state.withLock { $0.zones } }
}
