public import VigilModel

/// What `vigil generate` has written.
public struct GeneratedDataReport: Sendable {
  public var folder: String
  public var people: Int
  public var families: Int
  public var days: ClosedRange<Day>
  public var metricRows: Int
  public var exerciseSessions: Int
  /// Episodes put in on purpose.
  public var episodes: Int
  public var files: [String]

  public init(
    folder: String, people: Int, families: Int, days: ClosedRange<Day>, metricRows: Int,
    exerciseSessions: Int, episodes: Int, files: [String]
  ) {
    self.folder = folder
    self.people = people
    self.families = families
    self.days = days
    self.metricRows = metricRows
    self.exerciseSessions = exerciseSessions
    self.episodes = episodes
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
      ("Episodes", "\(NumberText.count(episodes)) put in on purpose (labels.csv)"),
      ("Files", files.joined(separator: ", ")),
      ("Next", "vigil import csv \(folder)"),
    ]
    return "Wrote \(folder)\n" + TextTable(pairs: pairs).render(style)
  }

  private struct Document: Encodable {
    var folder: String
    var people: Int
    var families: Int
    var fromDate: Day
    var toDate: Day
    var metricRows: Int
    var exerciseSessions: Int
    var episodes: Int
    var files: [String]
  }

  public func encode(to encoder: any Encoder) throws {
    try Document(
      folder: folder, people: people, families: families, fromDate: days.lowerBound,
      toDate: days.upperBound, metricRows: metricRows, exerciseSessions: exerciseSessions,
      episodes: episodes, files: files
    ).encode(to: encoder)
  }
}
