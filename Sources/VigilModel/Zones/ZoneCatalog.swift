import Synchronization

/// The time zones that rows and settings name, each read once and shared by all threads.
///
/// ```swift
/// import VigilZones
///
/// let zones = ZoneCatalog(source: ZoneFolder.system())
/// guard let berlin = zones.id(of: "Europe/Berlin") else { return }
/// print(zones.name(of: berlin))  // Europe/Berlin
/// print(zones.rules(of: "Europe/Nowhere") == nil)  // true
/// ```
public final class ZoneCatalog: Sendable {
  private struct State {
    var ids: [String: ZoneID?] = [:]
    var zones: [ZoneRules] = []
    var names: [String] = []
    var fault: ZoneFault?
  }

  /// The place that the rules come from.
  public let source: any ZoneSource
  private let state = Mutex(State())

  public init(source: any ZoneSource) {
    self.source = source
  }

  /// The release of the rules, such as `2025b`; nil where the system has none.
  ///
  /// - Complexity: Reads a file, or all zone files where none of them says it: ask once a run.
  public var version: ZoneVersion? { source.version }

  /// The number of a zone; nil for a name that is no zone's, and for one that meets a fault.
  ///
  /// - Complexity: O(1) for a name that was asked for before; reads a file the first time.
  public func id(of name: String) -> ZoneID? {
    state.withLock { state in
      if let known = state.ids[name] { return known }
      let id = Self.load(name, from: source, into: &state)
      state.ids[name] = .some(id)
      return id
    }
  }

  private static func load(
    _ name: String, from source: any ZoneSource, into state: inout State
  ) -> ZoneID? {
    do throws(ZoneFault) {
      guard state.zones.count <= Int(UInt16.max), let rules = try rules(of: name, from: source)
      else { return nil }
      let id = ZoneID(rawValue: UInt16(state.zones.count))
      state.zones.append(rules)
      state.names.append(name)
      return id
    } catch {
      state.fault = state.fault ?? error
      return nil
    }
  }

  /// Returns the rules of a zone; nil for a name that is no zone's, and for one that meets a fault.
  ///
  /// A name may be one of the IANA database, a former one of a zone that has a new name, or a fixed
  /// offset such as `GMT+3`.
  public func rules(of name: String) -> ZoneRules? {
    id(of: name).map { id in state.withLock { $0.zones[Int(id.rawValue)] } }
  }

  private static func rules(
    of name: String, from source: any ZoneSource
  ) throws(ZoneFault) -> ZoneRules? {
    if let offset = ZoneName.fixedOffset(name) { return ZoneRules(offsetSeconds: offset) }
    guard ZoneName.isValid(name) else { return nil }
    var file = try source.file(of: name)
    if file == nil, let present = ZoneLinks.target(of: name) {
      file = try source.file(of: present)
    }
    guard let file else { return nil }
    do {
      return try ZoneRules(file: file)
    } catch {
      throw .damaged(zone: name, error)
    }
  }

  /// Throws the first fault that a name has met, so that no row is refused because the system lacks
  /// zone files.
  ///
  /// Call it before writing anything that depends on a zone.
  public func requireNoFault() throws(ZoneFault) {
    if let fault = state.withLock({ $0.fault }) { throw fault }
  }

  /// The name that `id(of:)` numbered.
  public func name(of zone: ZoneID) -> String { state.withLock { $0.names[Int(zone.rawValue)] } }

  /// All zones by the raw value of their numbers.
  public func zones() -> [ZoneRules] { state.withLock { $0.zones } }
}
