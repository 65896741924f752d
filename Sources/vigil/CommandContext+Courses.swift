import Foundation
import VigilBatch
import VigilModel
import VigilStorage

extension CommandContext {
  /// How the episodes of alerts went, by id; empty where that cannot be found out here.
  ///
  /// It takes the thresholds file of the alerts, which may be the operator's own, and rights on the input,
  /// which a reader of alerts need not have.
  ///
  /// - Throws: `StorageError`.
  func courses(
    of alerts: [PatternAlertState], in storage: any Storage
  ) throws -> [UUID: EpisodeCourse] {
    guard !alerts.isEmpty else { return [:] }
    do {
      guard
        let profiles = try? RunProfiles(
          settings, own: storage.databaseProfiles(), database: storage.displayName),
        let thresholds = try? profiles.thresholds.load(),
        let vitality = try? profiles.vitality.requireVitality()
      else { return [:] }
      return try AlertCourses(
        in: storage, thresholds: thresholds, vitality: vitality, logger: logger
      ).courses(of: alerts)
    } catch let error as StorageError where error.code == .permissionDenied {
      return [:]
    }
  }
}
