public import VigilDetection
public import VigilModel

/// The episodes of a block in series of one kind, with the keys of these series.
public struct FoundEpisodes {
  /// The episodes, by indices of series.
  public let result: FoldResult
  private let kind: Kind
  private let input: BlockInput

  enum Kind {
    case metrics
    case silences
    /// By index, the key of a series.
    case listed([SeriesKey])
  }

  init(_ result: FoldResult, of kind: Kind, in input: BlockInput) {
    self.result = result
    self.kind = kind
    self.input = input
  }

  /// Whether they are of metrics, alone or together.
  public var isOfMetrics: Bool {
    if case .metrics = kind { return true }
    return false
  }

  /// The key of the series at an index.
  public func key(ofSeries index: Int) -> SeriesKey {
    switch kind {
    case .metrics: input.key(ofSeries: index)
    case .silences: input.key(ofSilence: index)
    case .listed(let keys): keys[index]
    }
  }

  /// The place in the block of the person of the series at an index; nil where the block does not have the person.
  public func person(ofSeries index: Int) -> Int? {
    switch kind {
    case .metrics: index / input.profile.seriesPerPerson
    case .silences: index / input.profile.silences.count
    case .listed(let keys): input.place(of: keys[index].user)
    }
  }

  /// By index of a series, the values of its key; keys of other kinds are left out.
  public func placed<Value>(_ values: [SeriesKey: Value]) -> [Int: Value] {
    switch kind {
    case .metrics: Self.placed(values) { input.series(of: $0) }
    case .silences: Self.placed(values) { input.silence(of: $0) }
    case .listed(let keys): Self.placed(values, at: keys)
    }
  }

  static func placed<Value>(
    _ values: [SeriesKey: Value], by place: (SeriesKey) -> Int?
  ) -> [Int: Value] {
    var placed: [Int: Value] = [:]
    for (key, value) in values {
      if let index = place(key) { placed[index] = value }
    }
    return placed
  }

  static func placed<Value>(_ values: [SeriesKey: Value], at keys: [SeriesKey]) -> [Int: Value] {
    var placed: [Int: Value] = [:]
    guard !values.isEmpty else { return placed }
    for (index, key) in keys.enumerated() { placed[index] = values[key] }
    return placed
  }
}
