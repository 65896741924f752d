public import VigilModel

extension Storage {
  /// The profiles that runs have followed beside that of the database, without that one.
  ///
  /// - Throws: `StorageError`.
  /// - Complexity: O(runs).
  public func candidates() throws -> Set<Profile> {
    let own = try databaseProfiles().first { $0.part == .patterns }?.profile
    return Set(try runs(limit: Int(Int32.max)).compactMap(\.candidate).filter { $0 != own })
  }
}
