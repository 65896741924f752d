/// The number that a `ZoneCatalog` gave to an IANA time zone, so that rows carry two bytes and no
/// name.
public struct ZoneID: Hashable, Sendable, BitwiseCopyable {
  public let rawValue: UInt16

  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }
}
