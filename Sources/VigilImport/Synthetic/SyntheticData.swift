import Foundation
import VigilFiles
public import VigilModel

/// Writes a made-up but plausible data set: families, daily metrics, workouts, medications with their doses,
/// journeys, and labelled episodes.
///
/// The same settings give the same bytes on every machine: functions that libraries compute differently do so in the
/// last bit, far below the digits of a row. A person's data depend on the seed, the days and the person's
/// number, not on how many others there are.
public struct SyntheticData: Sendable {
  public var people: Int
  public var days: Int
  public var seed: UInt64
  /// The last day of the data.
  public var endDate: Day
  /// Nil for families of three.
  public var families: Int?
  /// The average number of medications of a person, 0 for none.
  ///
  /// Files that are not about medication do not depend on it.
  public var medications: Double

  public init(
    people: Int, days: Int, seed: UInt64, endDate: Day, families: Int? = nil,
    medications: Double = 1
  ) {
    self.people = people
    self.days = days
    self.seed = seed
    self.endDate = endDate
    self.families = families
    self.medications = medications
  }

  /// The newest day that is over in every zone where persons live or travel to, so that no dose is
  /// in the future.
  public static func lastDay(at now: Timestamp) -> Day {
    let behind = SyntheticPlace.allCases.map(\.standardMinutes).min() ?? 0
    return now.adding(seconds: Int64(behind) * 60).utcDay - 1
  }

  /// The numbers of what was written.
  public struct Summary: Sendable, Hashable, Codable {
    public var people: Int
    public var families: Int
    public var metricRows = 0
    public var exerciseSessions = 0
    public var episodes = 0
    /// Rows of `device_labels.csv`.
    public var devicePeriods = 0
    public var medications = 0
    public var schedules = 0
    public var doseRows = 0
    /// Persons who take a medication and travel.
    public var travellers = 0
    /// Rows of `dose_labels.csv`.
    public var doseBehaviours = 0
    /// Names of the files, in the order in which an import reads them.
    public var files: [String]
  }

  /// The files that `write` creates.
  public static let fileNames =
    [
      "users.csv", "user_profiles.csv", "family_members.csv", "alert_recipient_exclusions.csv",
      "wearable_daily_metrics.csv", "exercise_sessions.csv", "labels.csv", "device_labels.csv",
    ] + SyntheticTreatmentWriter.fileNames

  /// Writes the files into `folder`, creating it where it is missing; all of them or none.
  ///
  /// - Parameters:
  ///   - folder: The path of the folder, as messages show it.
  ///   - currentFolder: The folder where a relative path begins; nil for the current one of the process.
  ///   - overwrites: Whether files of these names may be replaced.
  ///   - progress: Called with the persons written so far and in all.
  ///   - shouldStop: Called after every person; true ends the writing.
  /// - Throws: `ImportError` with code `.usage` for settings out of range, `.cannotCreateOutput` or
  ///   `.interrupted`.
  public func write(
    to folder: String, in currentFolder: String? = nil, overwrites: Bool = false,
    progress: (_ peopleWritten: Int, _ people: Int) -> Void = { _, _ in },
    shouldStop: () -> Bool = { false }
  ) throws -> Summary {
    try validate()
    let place = folder.path(startingIn: currentFolder)
    try prepare(folder, at: place, overwrites: overwrites)
    do {
      return try write(to: folder, at: place, overwrites, progress, shouldStop)
    } catch let error as NewFileError {
      throw ImportError(.cannotCreateOutput, error.description)
    }
  }

  private func write(
    to folder: String, at place: String, _ overwrites: Bool,
    _ progress: (_ peopleWritten: Int, _ people: Int) -> Void, _ shouldStop: () -> Bool
  ) throws -> Summary {
    let writer = try SyntheticDataWriter(folder: place, data: self, overwrites: overwrites)
    // Files are sorted by person; ids are hashes, so their order is not that of the numbers.
    let order = (0..<people)
      .map { (id: SyntheticPerson.id(index: $0, seed: seed), index: $0) }
      .sorted { $0.id < $1.id }
    for (written, person) in order.enumerated() {
      if shouldStop() {
        throw ImportError(.interrupted, "interrupted; nothing was written to \(folder)")
      }
      try writer.write(SyntheticPerson(index: person.index, seed: seed))
      progress(written + 1, people)
    }
    return try writer.finish()
  }

  private func validate() throws {
    let problems = [
      people < 1 || people > 100_000_000 ? "people must be 1 to 100000000" : nil,
      days < 1 || days > 36_600 ? "days must be 1 to 36600" : nil,
      families.map { $0 < 1 || $0 > people } ?? false ? "families must be 1 to people" : nil,
      (0...20).contains(medications) ? nil : "medications must be 0 to 20",
      endDate.components.year < 1900 ? "the end date must not be before 1900" : nil,
    ].compactMap { $0 }
    guard problems.isEmpty else {
      throw ImportError(.usage, "this data set cannot be made", problems: problems)
    }
  }

  private func prepare(_ folder: String, at place: String, overwrites: Bool) throws {
    do {
      try FileManager.default.createDirectory(
        atPath: place, withIntermediateDirectories: true)
    } catch {
      throw ImportError(.cannotCreateOutput, "cannot create the folder \(folder)")
    }
    guard !overwrites else { return }
    let present = Self.fileNames.filter {
      FileManager.default.fileExists(atPath: path(of: $0, in: place))
    }
    guard present.isEmpty else {
      throw ImportError(
        .cannotCreateOutput,
        "\(folder) already holds \(present.joined(separator: ", ")); choose another folder or allow"
          + " overwriting")
    }
  }
}
