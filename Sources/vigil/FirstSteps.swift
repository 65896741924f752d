import VigilStorage

/// The next step for a database that has nothing to show yet.
enum FirstSteps {
  /// One sentence; nil where a run is recorded.
  static func hint(_ storage: some Storage) throws -> String? {
    guard try storage.runs(limit: 1).isEmpty else { return nil }
    return try storage.metricDays() == nil && !storage.hasMedications()
      ? "There are no data yet; vigil import csv DIR brings some in."
      : "No run has evaluated the data yet; vigil run does."
  }
}
