import ArgumentParser
import VigilModel
import VigilStorage

/// An alert, by its id or enough of its beginning.
struct AlertIDArgument: ParsableArguments {
  @Argument(help: "The alert's id, or enough of its beginning.")
  var alert: String

  func validate() throws {
    guard UUIDPrefix(alert) != nil else {
      throw ValidationError("'\(alert)' is no id of an alert; give at least its first four digits")
    }
  }

  /// - Throws: `CommandFailure` unless exactly one alert begins like that.
  func alert(in storage: some Storage) throws -> PatternAlertState {
    let matches = try storage.alertStates(matching: AlertFilter(id: UUIDPrefix(alert)))
    guard let match = matches.first else {
      throw CommandFailure(
        .usage,
        "no alert of \(storage.displayName) begins with '\(alert)'; vigil alerts list --status all"
          + " lists them")
    }
    guard matches.count == 1 else {
      throw CommandFailure(
        .usage, "\(matches.count) alerts begin with '\(alert)'; give more digits")
    }
    return match
  }

  /// The alert about a medication that begins like that; nil where only an alert of a metric does, or none.
  ///
  /// - Throws: `CommandFailure` where more than one alert of either kind begins like that.
  func medicationAlert(in storage: some Storage) throws -> MedicationAlert? {
    guard let prefix = UUIDPrefix(alert) else { return nil }
    let matches = try storage.medicationAlerts(withID: prefix)
    guard let match = matches.first else { return nil }
    let others = try storage.alertStates(matching: AlertFilter(id: prefix)).count
    guard matches.count + others == 1 else {
      throw CommandFailure(
        .usage, "\(matches.count + others) alerts begin with '\(alert)'; give more digits")
    }
    return match
  }
}
