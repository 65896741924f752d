import VigilModel

/// A record or workout of an export that has begun, and whose zone may follow in an element of its own.
struct OpenRecord {
  enum Content {
    case quantity(HealthRecordKind, Double)
    case sleep(SleepStage)
    /// The type of activity without its prefix, and the line in the file.
    case workout(String, line: Int)
  }

  var content: Content
  private(set) var start: HealthDate
  private(set) var end: HealthDate
  var source: Int
  /// The zone that the record names.
  var zone: NamedZones.Zone?

  init(_ content: Content, from start: HealthDate, to end: HealthDate, source: Int) {
    self.content = content
    self.start = start
    self.end = end
    self.source = source
  }

  /// The same moments on a clock of the zone.
  mutating func show(in zone: ZoneRules) {
    start = start.shown(in: zone)
    end = end.shown(in: zone)
  }
}
