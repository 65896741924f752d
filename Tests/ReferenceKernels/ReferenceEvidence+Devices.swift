extension ReferenceEvidence {
  /// A device change, evidence.md section 7.
  public struct DeviceChange: Equatable, Sendable {
    /// The day of the third value of the new device.
    public var recognised: Int
    /// The day of its first value, the `baseline_since`.
    public var since: Int

    public init(recognised: Int, since: Int) {
      self.recognised = recognised
      self.since = since
    }
  }

  /// Returns the device changes that can be found on a day, the oldest first.
  ///
  /// Only values in `[day - horizon_days, day]` are looked at, also for a change that was recognised
  /// on an earlier day: a day is a pure function of its horizon (section 8). A change is forgotten
  /// when fewer than 10 of the values before it are left.
  ///
  /// - Parameter sources: By day, the sources whose rows hold a usable value. A day without an entry
  ///   has a value of no known source, which is no source of another value.
  public func deviceChanges(
    on day: Int, series: [(day: Int, value: Double)], sources: [Int: Set<String>]
  ) -> [DeviceChange] {
    let days = series.map(\.day).filter { $0 >= day - settings.horizonDays && $0 <= day }
    var changes: [DeviceChange] = []
    for newest in days.indices.dropFirst(2) {
      let lastThree = days[(newest - 2)...newest]
      let before = days[..<(newest - 2)].suffix(14)
      if before.count < 10 { continue }
      let isNew = lastThree.allSatisfy { day in
        before.allSatisfy { (sources[day] ?? []).isDisjoint(with: sources[$0] ?? []) }
      }
      if isNew {
        changes.append(DeviceChange(recognised: days[newest], since: days[newest - 2]))
      }
    }
    return changes
  }
}
