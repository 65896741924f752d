import ArgumentParser
import Foundation
import Logging
import VigilBatch
import VigilDetection
import VigilFiles
import VigilLaboratory
import VigilModel
import VigilReport
import VigilStorage

struct Calibrate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Writes a thresholds file that is fitted to your people.",
    discussion: """
      Reads the database, takes what is usual for your people as priors, simulates people like them \
      in whom nothing changes, and sets the thresholds so that these have no more false episodes than \
      you allow. A metric that fewer than 20 people have with 60 values keeps its priors. What is \
      usual of pauses without a device and of missed doses is taken from the database, too. The \
      database is not changed. The same data and seed give the same file.

      Example:
        vigil calibrate --out my-v3.json --false-episodes-per-person-year 0.5
        vigil thresholds check my-v3.json
      """)

  @Option(
    help: ArgumentHelp("The thresholds file to write.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var out: String

  @Option(
    help: ArgumentHelp(
      "False episodes of all metrics that a person may have in a year, 0.05 to 20.",
      valueName: "n"))
  var falseEpisodesPerPersonYear = "1"

  @Option(
    help: ArgumentHelp(
      "The thresholds file to start from: one with metrics under evidence.",
      valueName: "file"),
    completion: .file(extensions: ["json"]))
  var thresholds = "v3"

  @Option(
    help: ArgumentHelp(
      "The version of the new file (default: that of the old one and -calibrated).",
      valueName: "name"))
  var name: String?

  @Option(
    help: ArgumentHelp("The first day of the data.", valueName: "date"), transform: Day.argument)
  var from: Day?

  @Option(
    help: ArgumentHelp(
      "The last day of the data (default: the newest of the database).", valueName: "date"),
    transform: Day.argument)
  var to: Day?

  @Option(
    help: ArgumentHelp(
      "How many days of data, where --from is not given (default: 400).", valueName: "n"))
  var days: Int?

  @Option(
    help: ArgumentHelp(
      "Only the persons of this file, one id a line; - reads standard input.", valueName: "file"),
    completion: .file())
  var users: String?

  @Option(
    help: ArgumentHelp(
      "How many simulated people, 100 to 20000; fewer are faster and less exact.",
      valueName: "n"))
  var people = 4_000

  @Option(
    help: ArgumentHelp("The seed of all random numbers.", valueName: "n"))
  var seed = 1

  @Flag(help: "Replaces the file where it is there already.")
  var force = false

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func validate() throws {
    guard let budget = Double(falseEpisodesPerPersonYear),
      ThresholdCalibration.budgets.contains(budget)
    else {
      throw ValidationError(
        "--false-episodes-per-person-year '\(falseEpisodesPerPersonYear)': give a number from 0.05"
          + " to 20, such as 1")
    }
    guard (100...20_000).contains(people) else {
      throw ValidationError("--people \(people): give a number from 100 to 20000")
    }
    guard (0...Int(Int32.max)).contains(seed) else {
      throw ValidationError("--seed \(seed): give a number from 0 to \(Int32.max)")
    }
    if let days, !(60...36_500).contains(days) {
      throw ValidationError("--days \(days): give a number from 60 to 36500")
    }
    if from != nil, days != nil { throw ValidationError("give --from or --days, not both") }
    if let from, let to, from > to {
      throw ValidationError("--from \(from) is after --to \(to); swap them")
    }
    if let name, name.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._-]{0,63}/) == nil {
      throw ValidationError(
        "--name '\(name)': give letters, digits, points, - and _, such as v3-clinic")
    }
  }

  func run() async throws {
    let context = try common.context()
    context.interruption.begin()
    _ = try AddressSpace.threads()
    let base = try CalibrationBase(thresholds, name: name)
    let file = try context.newFile(out, option: "--out", replaces: force, isPrivate: false)
    let list = try users.map(PersonList.init(path:))
    let storage = try context.openCurrentDatabase(.existingReadOnly)
    let days = try range(in: storage)
    let persons = try list?.ids(in: storage)
    let survey = try survey(base, storage, days, persons: persons, context)
    let habits = try habits(base, storage, days, persons: persons, context)
    let calibration = try ProfileCalibration(
      base: base, survey: survey, habits: habits, days: days,
      budget: Double(falseEpisodesPerPersonYear) ?? 1,
      people: people, seed: seed)
    let progress = context.progress("Calibrating")
    defer { progress.finish() }
    guard
      let result = try await calibration.run(
        shouldStop: { context.interruption.isRequested },
        progress: { progress.update(done: Int($0 * 1000), total: 1000) })
    else { throw CommandFailure(context.interruption.exitStatus) }
    let text = try result.text(of: base)
    // The command reads the text once more, so that it leaves no file that a run would refuse.
    let written = try ThresholdsSource.thresholds(Data(text.utf8), name: out)
    try file.write(text)
    progress.finish()
    try context.write(
      CalibrationReport(
        result, of: calibration, file: out, written: written, database: storage.displayName))
  }

  /// The days of the data.
  private func range(in storage: some Storage) throws -> ClosedRange<Day> {
    guard let present = try storage.metricDays() else {
      throw CommandFailure(
        .badData,
        "wearable_daily_metrics in \(storage.displayName) has no row; import data with"
          + " vigil import first")
    }
    let last = to ?? present.upperBound
    let first = from ?? max(last - ((days ?? 400) - 1), min(present.lowerBound, last))
    guard first <= last, present.overlaps(first...last) else {
      throw CommandFailure(
        .badData,
        "the data of \(storage.displayName) are from \(present.lowerBound) to"
          + " \(present.upperBound), which the given days miss; give other days")
    }
    return first...last
  }

  private func survey(
    _ base: CalibrationBase, _ storage: any Storage, _ days: ClosedRange<Day>,
    persons: Set<UUID>?, _ context: CommandContext
  ) throws -> PeopleSurvey {
    let reading = try ObservationReading(
      storage: storage, thresholds: base.calibrated, days: days, logger: context.logger)
    var survey = PeopleSurvey(of: reading.metrics)
    let progress = context.progress("Reading")
    defer { progress.finish() }
    try reading.forEachBlock(
      of: persons, shouldStop: { context.interruption.isRequested },
      progress: { progress.update(done: $0, total: $1) }
    ) { survey.add($0) }
    if context.interruption.isRequested { throw CommandFailure(context.interruption.exitStatus) }
    guard survey.survey.people > 0 else {
      throw CommandFailure(
        .badData,
        "no person in \(storage.displayName) has a value of these metrics from \(days.lowerBound)"
          + " to \(days.upperBound); give other days, or import data with vigil import")
    }
    return survey
  }

  private func habits(
    _ base: CalibrationBase, _ storage: any Storage, _ days: ClosedRange<Day>,
    persons: Set<UUID>?, _ context: CommandContext
  ) throws -> HabitSurvey {
    let reading = try HabitReading(
      storage: storage, thresholds: base.profile,
      vitality: ThresholdsSource.vitality(with: .shipped("v3")).requireVitality(), days: days,
      zones: context.zones, logger: context.logger)
    var survey = HabitSurvey(of: base.profile, days: days, brokenFeed: reading.brokenFeed)
    let progress = context.progress("Reading habits")
    defer { progress.finish() }
    try reading.forEachBatch(
      of: persons, shouldStop: { context.interruption.isRequested },
      progress: { progress.update(done: $0, total: $1) }
    ) { survey.add($0) }
    if context.interruption.isRequested { throw CommandFailure(context.interruption.exitStatus) }
    return survey
  }
}
