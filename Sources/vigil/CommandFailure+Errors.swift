import ArgumentParser
import Foundation
import VigilBatch
import VigilDispatch
import VigilFiles
import VigilImport
import VigilModel
import VigilReport
import VigilStorage

extension CommandFailure {
  /// The status and the line of any error that a command may throw; no other code decides it.
  init(_ error: any Error) {
    switch error {
    case let failure as CommandFailure:
      self = failure
    case let error as SettingsError:
      self.init(error.status, error.description)
    case let error as StorageError:
      self.init(ExitStatus(error.code), error.message, error.remedy)
    case let error as NewFileError:
      self.init(
        .cannotCreate,
        error.code == .isThere
          ? "\(error.path) \(error.fault); choose another name, or replace it with --force"
          : error.description)
    case let error as ImportError:
      self.init(ExitStatus(error.code), error.message, error.remedy, problems: error.problems)
    case let error as BatchError:
      switch error.code {
      case .noInput, .noMetric, .tooManyUnusableRows:
        self.init(.badData, error.message, error.remedy)
      case .ownCandidate, .unknownPerson: self.init(.usage, error.message, error.remedy)
      case .clockSetBack, .neverNotified, .overtaken, .noNight:
        self.init(.tryAgain, error.message, error.remedy)
      }
    case let error as UnrecordedOutcomes:
      let reason = CommandFailure(error.reason).message ?? "the database does not answer"
      self.init(
        .cannotCreate,
        "what was done with \(error.count) notification\(error.count == 1 ? "" : "s") could not be recorded;"
          + " \(error.sent) of them were sent, and are sent again when their leases end: \(reason)")
    case let fault as MessageFault:
      self.init(.badData, fault.description)
    case let fault as ZoneFault:
      self.init(.unavailable, "\(fault); \(fault.remedy)")
    case let error as ThresholdsError:
      self.init(.badData, error.description)
    case let error as ValidationError:
      self.init(.usage, error.message)
    case is StandardOutput.ReaderHasGone:
      self.init(.success)
    case let error as ExitCode:
      self.init(ExitStatus(rawValue: error.rawValue) ?? .internalError)
    default:
      // An unforeseen error may quote data, so only its kind is named.
      let kind = String(describing: type(of: error))
      let code = (error as NSError).code
      self.init(
        .internalError,
        "internal error (\(kind), code \(code)); this is a defect of vigil, please report it")
    }
  }

  /// The failure, its remedy in words, and the first problems where there are any.
  private init(
    _ status: ExitStatus, _ message: String, _ remedy: Remedy?, problems: [String] = []
  ) {
    var text = message + (remedy.map { "; \($0.wording)" } ?? "")
    if !problems.isEmpty {
      text += remedy == nil ? ": " : ". The first of them: "
      text += problems.joined(separator: "; ")
    }
    self.init(status, text)
  }

  /// The line for stderr, without line breaks.
  var line: String? {
    message.map { text in
      let parts = text.split(whereSeparator: \.isNewline).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      return "vigil: " + parts.filter { !$0.isEmpty }.joined(separator: " ")
    }
  }
}

extension ExitStatus {
  init(_ code: ImportError.Code) {
    self =
      switch code {
      case .usage: .usage
      case .badData: .badData
      case .cannotCreateOutput: .cannotCreate
      case .interrupted: CommandSurroundings.current.interruption.exitStatus
      }
  }

  init(_ code: StorageError.Code) {
    self =
      switch code {
      case .notFound, .unreachable, .schemaNotCurrent, .transient: .unavailable
      case .notADatabase, .corrupt, .unknownColumn, .constraint, .ended, .otherProfile: .badData
      case .readOnly, .diskFull, .moved: .cannotCreate
      case .locked: .tryAgain
      case .permissionDenied: .permissionDenied
      case .unexpected: .internalError
      }
  }
}
