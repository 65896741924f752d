public import VigilModel

/// The output of `vigil generate`.
public struct GeneratedDataReport: Sendable {
  public var folder: String
  public var people: Int
  public var families: Int
  public var days: ClosedRange<Day>
  public var metricRows: Int
  public var exerciseSessions: Int
  /// The number of planted episodes.
  public var episodes: Int
  public var medications: Int
  public var schedules: Int
  public var doseRows: Int
  /// The number of persons who take a medication and travel.
  public var travellers: Int
  /// The number of habits and phases planted in the doses.
  public var doseBehaviours: Int
  /// The number of times at which a device is off, or another one takes over.
  public var devicePeriods: Int
  public var files: [String]

  public init(
    folder: String, people: Int, families: Int, days: ClosedRange<Day>, metricRows: Int,
    exerciseSessions: Int, episodes: Int, medications: Int, schedules: Int, doseRows: Int,
    travellers: Int, doseBehaviours: Int, devicePeriods: Int, files: [String]
  ) {
    self.folder = folder
    self.people = people
    self.families = families
    self.days = days
    self.metricRows = metricRows
    self.exerciseSessions = exerciseSessions
    self.episodes = episodes
    self.medications = medications
    self.schedules = schedules
    self.doseRows = doseRows
    self.travellers = travellers
    self.doseBehaviours = doseBehaviours
    self.devicePeriods = devicePeriods
    self.files = files
  }
}

extension GeneratedDataReport: Report {
  public func text(style: TextStyle) -> String {
    let pairs = [
      (
        "People",
        "\(NumberText.count(people)) in "
          + NumberText.count(families, "family", "families")
      ),
      ("Days", "\(days.lowerBound)..\(days.upperBound)"),
      (
        "Rows",
        "\(NumberText.count(metricRows)) of daily metrics, "
          + NumberText.count(exerciseSessions, "exercise session")
      ),
      (
        "Medication",
        "\(NumberText.count(medications)) with "
          + NumberText.count(schedules, "schedule") + ", "
          + NumberText.count(doseRows, "dose row") + ", "
          + NumberText.count(travellers, "traveller")
      ),
      (
        "Planted",
        "\(NumberText.count(episodes, "episode")) (labels.csv), "
          + "\(NumberText.count(doseBehaviours)) in the doses (dose_labels.csv), "
          + "\(NumberText.count(devicePeriods)) of devices (device_labels.csv)"
      ),
      ("Files", files.joined(separator: ", ")),
      ("Next", "vigil import csv \(folder)"),
    ]
    return "Wrote \(folder.terminalSafe)\n" + TextTable(pairs: pairs).render(style)
  }

  public func encode(to encoder: any Encoder) throws {
    let fields: JSONFields = [
      "folder": folder,
      "people": people,
      "families": families,
      "from_date": days.lowerBound,
      "to_date": days.upperBound,
      "metric_rows": metricRows,
      "exercise_sessions": exerciseSessions,
      "episodes": episodes,
      "medications": medications,
      "schedules": schedules,
      "dose_rows": doseRows,
      "travellers": travellers,
      "dose_behaviours": doseBehaviours,
      "device_periods": devicePeriods,
      "files": files,
    ]
    try fields.encode(to: encoder)
  }
}
