import ArgumentParser
import VigilImport
import VigilModel
import VigilReport

struct Generate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Writes a synthetic but plausible data set as CSV.",
    discussion: """
      The same numbers give the same bytes on every machine. labels.csv lists the planted \
      episodes. Besides metrics there are medications, schedules, doses and journeys into other \
      time zones; dose_labels.csv lists what is planted in the doses, device_labels.csv the days \
      without a device and those of a new one.

      Example:
        vigil generate demo-data --people 100 --days 365 --seed 7
        vigil import csv demo-data
      """)

  @Argument(help: "The folder to write into; it is created.", completion: .directory)
  var dir: String

  @Option(help: ArgumentHelp("How many persons.", valueName: "n"))
  var people: Int

  @Option(help: ArgumentHelp("How many days each.", valueName: "n"))
  var days: Int

  @Option(help: ArgumentHelp("The seed of all random numbers.", valueName: "n"))
  var seed: UInt64

  @Option(
    help: ArgumentHelp(
      "The last day (default: the last day that is over in every time zone).", valueName: "date"),
    transform: Day.argument)
  var endDate: Day?

  @Option(help: ArgumentHelp("How many families (default: one per three persons).", valueName: "n"))
  var families: Int?

  @Option(
    help: ArgumentHelp(
      "How many medications a person takes on average; 0 for none. The other files stay the same.",
      valueName: "n"))
  var medications = 1.0

  @Flag(help: "Replaces a data set that is in the folder already.")
  var overwrite = false

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws {
    let context = try common.context()
    let data = SyntheticData(
      people: people, days: days, seed: seed,
      endDate: endDate ?? SyntheticData.lastDay(at: context.clock.now),
      families: families, medications: medications)
    context.interruption.begin()
    let progress = context.progress("Generating")
    defer { progress.finish() }
    let summary = try data.write(
      to: dir, in: context.surroundings.folder, overwrites: overwrite,
      progress: { progress.update(done: $0, total: $1) },
      shouldStop: { context.interruption.isRequested })
    progress.finish()
    try context.write(
      GeneratedDataReport(
        folder: dir, people: summary.people, families: summary.families,
        days: (data.endDate - (days - 1))...data.endDate, metricRows: summary.metricRows,
        exerciseSessions: summary.exerciseSessions, episodes: summary.episodes,
        medications: summary.medications, schedules: summary.schedules,
        doseRows: summary.doseRows, travellers: summary.travellers,
        doseBehaviours: summary.doseBehaviours,
        devicePeriods: summary.devicePeriods, files: summary.files))
  }
}
