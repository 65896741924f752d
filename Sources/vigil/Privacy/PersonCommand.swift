import ArgumentParser
import Foundation
import Logging
import VigilDispatch
import VigilModel
import VigilStorage

struct PersonCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "person",
    abstract: "Exports and erases all that is stored about a person, and sets limits.",
    discussion: """
      Example:
        vigil person export participant-12 --out participant-12.zip
        vigil person erase participant-12
        vigil person erase participant-12 --after 30d --yes
        vigil person erased --format csv > erased.csv
        vigil person check --list erased.csv
        vigil person limits participant-12
      """,
    subcommands: [
      PersonExport.self, PersonErase.self, PersonErased.self, PersonCheck.self, PersonLimits.self,
      PersonSettings.self,
    ])
}

/// A person as a command names them; also one of whom there are only remains.
struct PersonArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The person, by UUID, its first 8 digits, or original id.", valueName: "id"))
  var id: String

  /// Returns the person; of a UUID also where no row of `users` has it.
  ///
  /// - Throws: `CommandFailure` (65) for another id that is of no person, or of several.
  func person(in storage: some Storage) throws -> UUID {
    if let person = UUID(uuidString: id) { return person }
    return try known(in: storage)
  }

  /// The same for persons of `users` alone.
  func known(in storage: some Storage) throws -> UUID {
    guard let person = try PersonList(option: "person", id: id).ids(in: storage).first else {
      preconditionFailure("a list of one id is of one person, or throws")
    }
    return person
  }
}

extension CommandContext {
  /// Reads the key of the list of erased persons; nil where none is set.
  ///
  /// - Throws: `CommandFailure` (65) for one that cannot be read, or is short.
  func erasureKey() throws -> ErasureKey? {
    guard let path = settings.erasureKeyFile.path else { return nil }
    return ErasureKey(secret: try SecretSource.file(path).signatureKey())
  }

  /// The same where there has to be one.
  ///
  /// - Throws: `CommandFailure` (64), too.
  func requiredErasureKey() throws -> ErasureKey {
    guard let key = try erasureKey() else {
      throw CommandFailure(
        .usage,
        "erased persons are remembered by a key, and there is none; make one with: openssl rand -hex 32 >"
          + " erasure.key, keep it apart from the database and its backups, and name it in"
          + " \(SettingDeclarations.standard.erasureKeyFile.key.environment)")
    }
    return key
  }

  /// Whether a person was erased, by the list of the database; nil where it is empty, or this role may not read it.
  ///
  /// - Throws: `CommandFailure` (64) where the list cannot be checked with the key.
  func erasedPersons(in storage: any Storage) throws -> ((UUID) -> Bool)? {
    let erased: [ErasedPerson]
    do {
      erased = try storage.erasedPersons()
    } catch let error as StorageError where error.code == .permissionDenied {
      logger.warning(
        "This role may not read erased_persons: it is not checked whether the persons were erased")
      return nil
    }
    guard !erased.isEmpty else { return nil }
    let key = try requiredErasureKey()
    guard erased.allSatisfy({ $0.key == key.id }) else {
      throw CommandFailure(
        .usage,
        "persons of \(storage.displayName) were erased with another key than that of"
          + " \(SettingDeclarations.standard.erasureKeyFile.key.environment); name that key")
    }
    let digests = Set(erased.map(\.digest))
    return { digests.contains(key.digest(of: $0)) }
  }
}
