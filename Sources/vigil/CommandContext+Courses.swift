import Foundation
import Logging
import VigilBatch
import VigilModel
import VigilStorage

extension CommandContext {
  /// The courses of the episodes of alerts, by id; empty where they cannot be found out.
  ///
  /// - Parameter day: The last day that counts; nil for the newest evaluated one.
  ///
  /// They need the thresholds file of the alerts, which may be the operator's own, and rights on
  /// the input, which a reader of alerts may lack. Damaged input leads to one warning: the alerts
  /// themselves can be read all the same.
  func courses(
    of alerts: [PatternAlertState], in storage: any Storage, through day: Day? = nil
  ) -> [UUID: EpisodeCourse] {
    guard !alerts.isEmpty else { return [:] }
    do {
      guard
        let profiles = try? RunProfiles(
          settings, own: storage.databaseProfiles(), database: storage.displayName),
        let thresholds = try? profiles.thresholds.load(),
        let vitality = try? profiles.vitality.requireVitality()
      else { return [:] }
      return try AlertCourses(
        in: storage, thresholds: thresholds, vitality: vitality, zones: zones,
        logger: logger
      ).courses(of: alerts, through: day)
    } catch {
      if (error as? StorageError)?.code != .permissionDenied {
        logger.warning(
          "What alerts wait for cannot be found out; vigil doctor looks for the cause",
          metadata: ["reason": "\(CommandFailure(error).message ?? "")"])
      }
      return [:]
    }
  }
}
