import ArgumentParser
import Foundation
import Synchronization
import VigilBatch
import VigilDetection
import VigilKernels
import VigilModel
import VigilReport
import VigilStorage

/// The arguments of both `run` and `backfill`.
struct BatchArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only the persons of this file, one id a line; - reads standard input.", valueName: "file"),
    completion: .file())
  var users: String?

  @Option(
    help: .setting(\.thresholds, valueName: "file"),
    completion: .file(extensions: ["json"]))
  var thresholds: String?

  @Option(
    help: ArgumentHelp(
      "Another profile to follow in the same run: \(ThresholdsSource.names) or a file. It notifies no one.",
      valueName: "file"),
    completion: .file(extensions: ["json"]))
  var candidate: String?

  @Option(
    help: .setting(\.vitality, valueName: "file"),
    completion: .file(extensions: ["json"]))
  var vitality: String?

  @Option(
    help: ArgumentHelp(
      "Only this: patterns (episodes and notifications), adherence (doses) or vitality (scores and"
        + " trends); may be repeated.", valueName: "part"),
    completion: .list(RunPart.allCases.map(\.rawValue)), transform: RunPart.argument)
  var only: [RunPart] = []

  @Option(
    help: ArgumentHelp(
      "Only one of n parts of the persons; processes with the other parts share the run. In a pod of an"
        + " indexed Job of Kubernetes: JOB_COMPLETION_INDEX/n.", valueName: "i/n"),
    transform: { try RunShard.argument($0) })
  var shard: RunShard?

  @Option(
    help: .setting(\.maxNotifiedPersons, valueName: "n"))
  var maxNotifiedPersons: String?

  @Option(
    help: .setting(\.maxBadRows, valueName: "share"))
  var maxBadRows: String?

  @Flag(
    help: ArgumentHelp(
      "Goes on with other thresholds or vitality settings than the database's: the active episodes of the"
        + " old ones end, and no member is notified of what is going on."))
  var switchProfile = false

  @Flag(help: "Begins anew where a run like this was cut off, instead of continuing it.")
  var restart = false

  @Flag(
    help: ArgumentHelp(
      "Reads all metric rows from their table, without the copies that nights keep; the result is the"
        + " same."))
  var noHistory = false

  @Option(
    help: .setting(\.metricsFile, valueName: "file"),
    completion: .file(extensions: ["prom"]))
  var metricsFile: String?

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func context(_ own: [SettingKey: SettingValue] = [:]) throws -> CommandContext {
    try common.context(
      own.with(.option(\.thresholds, thresholds))
        .with(.option(\.vitality, vitality))
        .with(.option(\.maxNotifiedPersons, maxNotifiedPersons))
        .with(.option(\.metricsFile, metricsFile))
        .with(.option(\.maxBadRows, maxBadRows)))
  }

  /// Evaluates `days` and writes the result.
  ///
  /// - Parameter takesDayFromClock: Whether no option gave the days.
  func run(
    _ kind: RunRecord.Kind, days: ClosedRange<Day>, takesDayFromClock: Bool = false,
    mode: RunRecord.Mode, _ context: CommandContext
  ) throws {
    context.surroundings.monitor.begin(context)
    try RunAttempt.report(
      kind, to: context.settings.metricsFile.path, clock: context.clock, logger: context.logger
    ) {
      try run(kind, days, takesDayFromClock, mode, context, &$0)
    }
  }

  private func run(
    _ kind: RunRecord.Kind, _ days: ClosedRange<Day>, _ takesDayFromClock: Bool,
    _ mode: RunRecord.Mode, _ context: CommandContext, _ attempt: inout RunAttempt
  ) throws {
    let list = try users.map(PersonList.init(path:))
    // What is wrong with a file that was given does not depend on a database.
    if case .given(let source) = context.settings.thresholds { _ = try source.load() }
    if case .given(let source) = context.settings.vitality { _ = try source.requireVitality() }
    let beside = try candidateThresholds()
    let storage = try context.openCurrentDatabase(.existing)
    // Shards share a lock that an erasure needs for itself.
    if kind == .run, shard == nil { context.eraseDuePersons(from: storage) }
    let profiles = try RunProfiles(
      context.settings, own: storage.databaseProfiles(), isSwitching: switchProfile,
      database: storage.displayName)
    let thresholds = try profiles.thresholds.load()
    let vitality = try profiles.vitality.requireVitality()
    let request = RunRequest(
      RunScope(
        kind: kind, days: days, mode: mode, parts: only.isEmpty ? .all : Set(only),
        thresholds: thresholds, candidate: beside, vitality: vitality),
      persons: try list?.ids(in: storage), shard: shard ?? .whole,
      options: try options(context.settings, takesDayFromClock: takesDayFromClock),
      origin: RunOrigin(runID: UUID(), host: Host.name, engineVersion: engineVersion))
    BLASLibrary.useOneThread()
    context.interruption.begin(.toRecord)
    let progress = context.progress(kind == .run ? "Evaluating" : "Backfilling")
    defer { progress.finish() }
    // A run may turn out to be one that was begun before.
    let begun = Mutex(request.origin.runID)
    let engine = BatchEngine(
      storage: storage, request: request,
      surroundings: .init(
        now: { context.clock.now }, zones: context.zones,
        shouldStop: { context.interruption.isRequested },
        isUrgent: { context.interruption.isRequested },
        begun: { run in begun.withLock { $0 = run.id } },
        progress: { progress.update(done: $0, total: $1) }),
      logger: context.logger)
    attempt.findRecord = { try? storage.run(id: begun.withLock { $0 }) }
    let outcome = try engine.run()
    let run = outcome.run
    attempt.run = run
    progress.finish()
    try context.write(
      RunSummary(
        run: run, shard: outcome.shard, switched: outcome.switched, database: storage.displayName,
        metricDays: run.counts.series == 0 ? try storage.metricDays() : nil,
        isOfChosenPersons: list != nil || shard != nil))
    switch outcome.shard.status {
    case .interrupted: throw CommandFailure(context.interruption.exitStatus)
    case .held: throw CommandFailure(.tryAgain, HeldNotice.text(outcome))
    case .running, .succeeded, .failed: break
    }
  }
}

extension BatchArguments {
  /// The given options that make no sense for one person.
  var optionsOfManyPersons: [String] {
    [
      (users != nil, "--users"), (candidate != nil, "--candidate"), (!only.isEmpty, "--only"),
      (shard != nil, "--shard"), (switchProfile, "--switch-profile"), (restart, "--restart"),
      (metricsFile != nil, "--metrics-file"), (maxBadRows != nil, "--max-bad-rows"),
      (noHistory, "--no-history"),
    ].compactMap { $0.0 ? $0.1 : nil }
  }

  /// Evaluates one person and writes the result.
  ///
  /// - Parameters:
  ///   - user: The person, as `--user` names them.
  ///   - day: The evaluation day.
  ///   - takesDayFromClock: Whether no option gave the day.
  ///   - time: For how long another evaluation of the person is waited for.
  ///   - context: The settings.
  func run(
    user: String, on day: Day, takesDayFromClock: Bool, waitingFor time: Duration,
    _ context: CommandContext
  ) throws {
    let storage = try context.openCurrentDatabase(.existing)
    let profiles = try RunProfiles(
      context.settings, own: storage.databaseProfiles(), database: storage.displayName)
    let scope = RunScope(
      kind: .run, days: day...day, mode: context.settings.mode,
      thresholds: try profiles.thresholds.load(), vitality: try profiles.vitality.requireVitality())
    guard let person = try PersonList(option: "--user", id: user).ids(in: storage).first else {
      return
    }
    BLASLibrary.useOneThread()
    let engine = BatchEngine(
      storage: storage,
      request: RunRequest(
        scope, options: try options(context.settings, takesDayFromClock: takesDayFromClock),
        origin: RunOrigin(runID: UUID(), host: Host.name, engineVersion: engineVersion)),
      surroundings: .init(now: { context.clock.now }, zones: context.zones), logger: context.logger)
    let outcome = try engine.evaluate(person: person, on: day, waitingFor: time)
    try context.write(
      PersonReport(
        person: person, record: outcome.record, changed: outcome.changed,
        enqueued: outcome.enqueued, leftToNight: outcome.leftToNight,
        database: storage.displayName))
  }

  private func candidateThresholds() throws -> Thresholds? {
    guard let candidate else { return nil }
    guard only.isEmpty || only.contains(.patterns) else {
      throw CommandFailure(
        .usage, "--candidate follows episodes; add --only patterns, or leave --only out")
    }
    guard let source = ThresholdsSource(candidate) else {
      throw CommandFailure(.usage, "--candidate is empty; give \(ThresholdsSource.names) or a file")
    }
    return try source.load()
  }

  fileprivate func options(_ settings: Settings, takesDayFromClock: Bool) throws -> RunOptions {
    var options = RunOptions()
    options.takesDayFromClock = takesDayFromClock
    options.continuesInterrupted = !restart
    options.switchesProfile = switchProfile
    options.usesHistory = !noHistory
    options.rateLimit = settings.maxNotifiedPersons
    options.maxBadRowFraction = settings.maxBadRows
    options.workers = try AddressSpace.threads()
    return options
  }
}

/// The machine that the run is on.
private enum Host {
  /// As the machine calls itself; asks no name server.
  static var name: String {
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, bytes.count - 1) == 0 else { return "unknown" }
    return bytes.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { String(cString: $0) } ?? "unknown"
    }
  }
}
