import Foundation
import Logging
import VigilBatch
import VigilModel
import VigilStorage

extension CommandContext {
  /// How the episodes of alerts went, by id; empty where that cannot be found out here.
  ///
  /// It takes the thresholds file of the alerts, which may be the operator's own, and rights on the input,
  /// which a reader of alerts need not have. Damaged input is named in one line: the alerts themselves can
  /// be read all the same.
  func courses(
    of alerts: [PatternAlertState], in storage: any Storage
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
      ).courses(of: alerts)
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
