import VigilModel

/// A record or workout of an export that has begun, and whose zone may follow in an element of its own.
struct OpenRecord {
  enum Content {
    case quantity(HealthRecordKind, Double)
    case sleep(SleepStage)
    /// The type of activity without its prefix.
    case workout(String)
  }

  var content: Content
  private(set) var start: HealthDate
  private(set) var end: HealthDate
  var source: Int
  var line: Int
  /// The zone that the record names.
  var zone: NamedZones.Zone?

  init(_ content: Content, from start: HealthDate, to end: HealthDate, source: Int, line: Int) {
    self.content = content
    self.start = start
    self.end = end
    self.source = source
    self.line = line
  }

  /// The same moments on a clock of the zone.
  mutating func show(in zone: ZoneRules) {
    start = start.shown(in: zone)
    end = end.shown(in: zone)
  }
}
