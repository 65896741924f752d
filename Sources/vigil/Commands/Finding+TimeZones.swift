import VigilModel
import VigilStorage

extension Finding {
  /// Returns which release of the time zone rules the system has, and whether it is current.
  static func onTimeZones(
    _ zones: ZoneCatalog, runsUse name: String, on day: Day
  ) -> Finding {
    let check = "time zones"
    let missing = [name, "Europe/Berlin", "Asia/Tokyo"].filter { zones.rules(of: $0) == nil }
    do throws(ZoneFault) {
      try zones.requireNoFault()
    } catch {
      return Finding(
        check: check, status: .failure, detail: error.description, remedy: .advice(error.remedy))
    }
    let rules = zones.version.map { "rules \($0)" } ?? "rules"
    guard missing.isEmpty else {
      return Finding(
        check: check, status: .failure,
        detail: "\(rules) in \(zones.source.place) lack \(missing.joined(separator: " and "))",
        remedy: .advice(
          "install the files again with apt-get install --reinstall tzdata, or set TZDIR to"
            + " another folder of zone files"))
    }
    if let version = zones.version, version.isOutdated(on: day) {
      return Finding(
        check: check, status: .warning,
        detail: "\(rules) in \(zones.source.place) are more than two years old; runs use \(name)",
        remedy: .advice(
          "update them with apt-get update && apt-get install tzdata: clocks may have been"
            + " changed since"))
    }
    return Finding(
      check: check, status: .ok, detail: "\(rules) in \(zones.source.place); runs use \(name)")
  }
}
