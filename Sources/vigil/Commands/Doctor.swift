import ArgumentParser
import Foundation
import VigilBatch
import VigilDetection
import VigilDispatch
import VigilKernels
import VigilModel
import VigilReport
import VigilStorage
import VigilVitality

struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Checks the database, its schema, the clock, time zones and thresholds.",
    discussion: """
      Ends with 69 when anything fails, and says how to fix it.

      Example:
        vigil doctor --database sqlite:clinic.sqlite
        vigil doctor --full
      """)

  @Flag(
    help: """
      Also check every page, index and reference of the database, which takes minutes for a large \
      one; on PostgreSQL with the extension amcheck.
      """)
  var full = false

  @Option(
    help: .setting(\.thresholds, valueName: "file"),
    completion: .file(extensions: ["json"]))
  var thresholds: String?

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws {
    let context = try common.context(.option(\.thresholds, thresholds))
    let now = context.clock.now
    let database = Result { try context.openDatabase(.existingReadOnly) }
    let findings =
      databaseFindings(database) + productionFindings(database, at: now, context.settings) + [
        Finding(check: "BLAS", status: .ok, detail: BLASLibrary.description),
        clockFinding(at: now, in: try? database.get()),
        .onTimeZones(context.zones, runsUse: context.settings.timeZone.name, on: now.utcDay),
      ] + providerFindings(database, at: now, context)
      + profileFindings(context.settings, try? database.get())
    let report = FindingsReport(findings: findings.map(\.withoutSecrets))
    try context.write(report)
    if report.hasFailure { throw CommandFailure(.unavailable) }
  }

  private func databaseFindings(_ database: Result<any Storage, any Error>) -> [Finding] {
    do {
      return try database.get().diagnose(fully: full)
    } catch let error as StorageError {
      return [
        Finding(
          check: "database", status: .failure, detail: error.message, remedy: error.remedy)
      ]
    } catch {
      let failure = CommandFailure(error)
      return [Finding(check: "database", status: .failure, detail: failure.message ?? "")]
    }
  }

  /// Findings about the thresholds that a run would use, and about the profiles of the database's
  /// alerts.
  private func profileFindings(_ settings: Settings, _ database: (any Storage)?) -> [Finding] {
    // A database that cannot be read has a finding of its own.
    let own = (try? database?.databaseProfiles()) ?? []
    let active = (try? database?.activeProfiles()) ?? []
    var findings: [Finding] = []
    do {
      let profiles = try RunProfiles(
        settings, own: own, database: database?.displayName ?? "the database")
      findings =
        [thresholdsFinding(profiles.thresholds)]
        + metricFindings(profiles.thresholds, in: database)
        + [vitalityFinding(profiles.vitality)]
    } catch {
      findings = [
        Finding(
          check: "thresholds", status: .failure, detail: CommandFailure(error).message ?? "")
      ]
    }
    if let database {
      let candidates = (try? database.candidates()) ?? []
      findings.append(.onProfiles(own, active: active, candidates: candidates))
    }
    return findings
  }

  /// Empty where other findings show that the database cannot be read.
  private func productionFindings(
    _ database: Result<any Storage, any Error>, at now: Timestamp, _ settings: Settings
  ) -> [Finding] {
    guard let storage = try? database.get(), (try? storage.requireCurrentSchema()) != nil else {
      return []
    }
    // A time zone without rules has a finding of its own.
    let zone = (try? settings.timeZone.rules.get()) ?? .utc
    let check = ProductionCheck(day: Day(now, in: zone) - 1, mode: settings.mode, at: now)
    do {
      return try check.findings(in: storage) + storage.sessionFindings(at: now)
    } catch {
      return [
        Finding(
          check: "production", status: .failure, detail: CommandFailure(error).message ?? "")
      ]
    }
  }

  /// Empty where the settings name no file of providers: senders elsewhere have theirs.
  private func providerFindings(
    _ database: Result<any Storage, any Error>, at now: Timestamp, _ context: CommandContext
  ) -> [Finding] {
    guard context.settings.providers.path != nil else { return [] }
    do {
      let file = try ProvidersFile(context.settings.providers)
      guard let storage = try? database.get(), (try? storage.requireCurrentSchema()) != nil else {
        return []
      }
      return try ProvidersCheck(file, in: storage, zones: context.zones, at: now).findings
    } catch let error as StorageError where error.code == .permissionDenied {
      // The login of runs may not read what senders do.
      return []
    } catch {
      return [
        Finding(check: "providers", status: .failure, detail: CommandFailure(error).message ?? "")
      ]
    }
  }

  private func thresholdsFinding(_ source: ThresholdsSource) -> Finding {
    do {
      let thresholds = try source.load()
      return Finding(
        check: "thresholds", status: .ok,
        detail: "\(source), version \(thresholds.version), \(thresholds.metrics.count) metrics")
    } catch {
      return Finding(
        check: "thresholds", status: .failure, detail: CommandFailure(error).message ?? "",
        remedy: "vigil thresholds check FILE lists every fault")
    }
  }

  /// Whether the database has the metrics of the thresholds; empty where either cannot be read,
  /// which has a finding of its own.
  private func metricFindings(
    _ source: ThresholdsSource, in database: (any Storage)?
  ) -> [Finding] {
    guard let database, (try? database.requireCurrentSchema()) != nil,
      let thresholds = try? source.load(), let columns = try? database.metricColumns()
    else { return [] }
    return [MetricCheck(of: thresholds, in: columns).finding]
  }

  private func vitalityFinding(_ source: ThresholdsSource) -> Finding {
    do {
      let settings = try source.requireVitality()
      return Finding(
        check: "vitality", status: .ok, detail: "\(source), version \(settings.version)")
    } catch {
      return Finding(
        check: "vitality", status: .failure, detail: CommandFailure(error).message ?? "",
        remedy: "vigil thresholds check FILE lists every fault")
    }
  }

  private func clockFinding(at now: Timestamp, in database: (any Storage)?) -> Finding {
    // A machine without a battery starts in 1970; a run would then find no data.
    guard now.utcDay.components.year >= 2024 else {
      return Finding(
        check: "clock", status: .failure, detail: "it shows \(now.utcDay), which is long past",
        remedy: "set the machine's clock; time synchronisation keeps it right")
    }
    // A database that cannot be read has a finding of its own.
    if let database, let setback = try? ClockSetback(now: now, in: database) {
      return Finding(
        check: "clock", status: .failure, detail: setback.description,
        remedy: ClockSetback.remedy)
    }
    return Finding(check: "clock", status: .ok, detail: "\(now.utcDay) UTC")
  }
}

extension Finding {
  /// The same without the secrets of connections, which a message that it quotes may hold.
  fileprivate var withoutSecrets: Finding {
    var finding = self
    finding.detail = ConnectionSecrets.hidden(inLine: detail)
    return finding
  }
}
