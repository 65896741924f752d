public import VigilModel
public import VigilZones

extension ZoneCatalog {
  /// The time zones of the machine that the tests run on.
  public static let system = ZoneCatalog(source: ZoneFolder.system())

  /// The names of all of them.
  public static let systemNames = ZoneFolder.ofThisMachine?.zoneNames() ?? []
}

extension ZoneFolder {
  /// Nil on a machine without zone files.
  public static let ofThisMachine = ZoneFolder.system() as? ZoneFolder
}
