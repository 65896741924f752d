public import VigilModel

extension Storage {
  /// The runs that have succeeded, the newest first.
  ///
  /// - Parameters:
  ///   - part: What they have evaluated; nil for anything.
  ///   - profile: The thresholds by which they did; nil for any.
  /// - Throws: `StorageError`.
  /// - Complexity: O(runs).
  public func succeededRuns(of part: RunPart? = nil, by profile: Profile? = nil) throws
    -> [RunRecord]
  {
    try runs(limit: Int(Int32.max)).filter { run in
      run.status == .succeeded && part.map(run.parts.contains) ?? true
        && profile.map { $0 == run.thresholds } ?? true
    }
  }

  /// The last day that these runs have evaluated; nil where there is none.
  ///
  /// - Throws: `StorageError`.
  public func lastEvaluatedDay(of part: RunPart? = nil, by profile: Profile? = nil) throws -> Day? {
    try succeededRuns(of: part, by: profile).map(\.days.upperBound).max()
  }
}
