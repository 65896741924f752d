import VigilAlerts
import VigilModel

extension EscalationPolicy {
  /// Reads the object `escalation`, and complains about what is wrong with it.
  ///
  /// - Parameters:
  ///   - reader: The object.
  ///   - addressed: The channels whose providers are given addresses.
  init(_ reader: JSONReader, addressedChannels addressed: [PlannedNotification.Channel]) {
    reader.allowOnly(["alerts", "missed_streaks", "raised_alerts", "contacts"])
    self.init()
    if let windows = Self.windows("alerts", reader) { alerts = windows }
    if let windows = Self.windows("missed_streaks", reader) { missedStreaks = windows }
    if let minutes = reader.whole("raised_alerts", in: 1...1440) { raisedAlerts = minutes }
    callsContacts = reader.truth("contacts") ?? false
    if callsContacts, !addressed.contains(where: \.reachesEmergencyContacts) {
      reader.complain(
        "contacts",
        "needs a channel that is given addresses: sms or call with \"addresses\": true, or email")
    }
  }

  /// Minutes by level; nil where the key is missing.
  private static func windows(_ key: String, _ reader: JSONReader) -> [AlertLevel: Int]? {
    guard let own = reader.object(key) else { return nil }
    var windows: [AlertLevel: Int] = [:]
    for name in own.keys {
      guard let level = Int(name).flatMap(AlertLevel.init) else {
        own.complain(name, "is no level; there are 3, 7, 14 and 21")
        continue
      }
      if let minutes = own.whole(name, in: 5...1440) { windows[level] = minutes }
    }
    return windows
  }
}
