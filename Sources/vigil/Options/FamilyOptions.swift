import ArgumentParser
import Foundation
import VigilModel
import VigilStorage

/// A family and the member who looks at it; either is given only together with the other.
struct FamilyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Shows what --viewer sees of this family, by UUID or original id.", valueName: "id"))
  var family: String?

  @Option(
    help: ArgumentHelp(
      "An accepted member of --family, by UUID, its first 8 digits, or original id.",
      valueName: "id"))
  var viewer: String?

  var isGiven: Bool { family != nil || viewer != nil }

  func validate() throws {
    switch (family, viewer) {
    case (_?, nil): throw ValidationError("--family needs --viewer, the member who asks")
    case (nil, _?): throw ValidationError("--viewer needs --family, the family to look at")
    case ("", _), (_, ""): throw ValidationError("--family and --viewer need an id")
    case (_?, _?), (nil, nil): break
    }
  }

  /// The ids, nil where the options are not given.
  ///
  /// A family has no table of its own in which an original id could be looked up: its id is derived as
  /// an import derives it.
  ///
  /// - Throws: `CommandFailure` (65) where `storage` does not have the viewer.
  func ids(in storage: some Storage) throws -> (family: UUID, viewer: UUID)? {
    guard let family, let viewer else { return nil }
    let viewers = try PersonList(option: "--viewer", id: viewer).ids(in: storage)
    return viewers.first.map { (UUID(uuidString: family) ?? UUID(name: family), $0) }
  }
}
