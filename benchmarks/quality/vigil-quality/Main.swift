import Foundation

/// The laboratory's command: how well profiles detect, measured on simulated people.
@main struct Main {
  static let usage = """
    usage: vigil-quality \(FitCommand.usage)
           vigil-quality \(BudgetCommand.usage)
           vigil-quality \(MeasureCommand.usage)
           vigil-quality \(TablesCommand.usage)
    """

  static func main() async {
    let words = Array(CommandLine.arguments.dropFirst())
    do {
      switch words.first {
      case "fit":
        try FitCommand().run(
          Arguments(Array(words.dropFirst()), known: ["dataset", "date", "output"]))
      case "budget":
        let arguments = try Arguments(
          Array(words.dropFirst()), known: ["profile", "thresholds", "population", "seed"])
        exit(try await BudgetCommand().run(arguments) ? 0 : 1)
      case "measure":
        try await MeasureCommand().run(
          Arguments(
            Array(words.dropFirst()),
            known: ["output", "only", "people", "seed", "population", "real"]))
      case "tables":
        try await TablesCommand().run(
          Arguments(
            Array(words.dropFirst()),
            known: ["profile", "metrics", "people", "seed", "population"]))
      default:
        print(usage)
        exit(words.first == "--help" ? 0 : 64)
      }
    } catch {
      FileHandle.standardError.write(Data("vigil-quality: \(error)\n".utf8))
      exit(64)
    }
  }
}
