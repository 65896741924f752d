import VigilModel

extension RunRecord {
  /// Whether `other` has the very same work: the same days, persons, thresholds and candidate, by the same
  /// version, in as many shards.
  package func isSameWork(_ other: RunRecord) -> Bool {
    kind == other.kind && days == other.days && mode == other.mode && shards == other.shards
      && selection == other.selection && thresholds.digest == other.thresholds.digest
      && candidate == other.candidate && parts == other.parts && vitality == other.vitality
      && engineVersion == other.engineVersion
  }

  /// Derives all columns that follow from the parts of the run.
  ///
  /// The figures stay unchanged where the checkpoints are gone: those of a run that has succeeded
  /// are pruned after some time.
  ///
  /// - Parameter held: Nil in shadow mode, where notifications enter their queue with their batch.
  package mutating func derive(
    fromShards parts: [ShardRecord], checkpoints: [BatchCheckpoint],
    held: (held: Int, released: Int)?
  ) {
    if !checkpoints.isEmpty || counts.persons == 0 {
      counts = (parts.map(\.carried) + checkpoints.map(\.counts)).reduce(into: Counts(), +=)
      dataQuality = (parts.map(\.dataQuality) + checkpoints.map(\.dataQuality)).totals
      watermark = checkpoints.compactMap(\.input.newestUpdate).max()
    }
    if let held {
      let pruned = parts.reduce(0) { $0 + $1.carried.notificationsEnqueued }
      counts.notificationsEnqueued = held.released + pruned
      counts.notificationsHeld = held.held
    }

    status = derivedStatus(of: parts)
    finishedAt = status == .running ? nil : parts.compactMap(\.finishedAt).max()
    let failed = parts.first { $0.status != .succeeded && $0.error != nil }
    error = failed.map { part in
      (shards > 1 ? "shard \(part.index)/\(shards): " : "") + (part.error ?? "")
    }
  }

  private func derivedStatus(of parts: [ShardRecord]) -> Status {
    let states = Set(parts.map(\.status))
    if states.contains(.running) { return .running }
    if states.contains(.failed) { return .failed }
    if states.contains(.held) { return .held }
    if states.contains(.interrupted) { return .interrupted }
    return parts.count == shards ? .succeeded : .running
  }
}

extension [[DataQualityCount]] {
  /// The sums by metric and reason; by metric name, whole days last.
  var totals: [DataQualityCount] {
    var sums: [DataQualityCount] = []
    for part in joined() {
      if let known = sums.firstIndex(where: {
        $0.metric == part.metric && $0.reason == part.reason
      }) {
        sums[known].count += part.count
      } else {
        sums.append(part)
      }
    }
    return sums.sorted {
      ($0.metric == nil ? 1 : 0, $0.metric?.rawValue ?? "", $0.reason)
        < ($1.metric == nil ? 1 : 0, $1.metric?.rawValue ?? "", $1.reason)
    }
  }
}
