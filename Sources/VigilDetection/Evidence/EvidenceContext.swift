public import VigilModel

/// The past of a series, as far as it matters to the evaluation of a day under evidence (specification, evidence.md section 1).
public struct EvidenceContext: Hashable, Sendable {
  /// The first day that counts; nil for no limit.
  public var baselineSince: Day?
  /// Whether `baselineSince` is a change of device.
  public var isRecalibrating: Bool
  /// Days of episodes that ended as `recovered` or `no_data`.
  public var excluded: [ClosedRange<Day>]
  /// The end of the last episode of the series, whatever its reason.
  public var lastResolved: Day?

  public init(
    baselineSince: Day? = nil, isRecalibrating: Bool = false, excluded: [ClosedRange<Day>] = [],
    lastResolved: Day? = nil
  ) {
    self.baselineSince = baselineSince
    self.isRecalibrating = isRecalibrating
    self.excluded = excluded
    self.lastResolved = lastResolved
  }
}

extension EvidenceContext {
  /// The past that earlier episodes leave to a series.
  ///
  /// - Parameter ended: The episodes that ended before the day to evaluate; retracted ones do not count.
  public init(ended: [Episode]) {
    self.init()
    for episode in ended {
      guard let resolution = episode.resolution, resolution.reason != .retracted else { continue }
      lastResolved = max(lastResolved ?? resolution.day, resolution.day)
      switch resolution.reason {
      case .recovered, .noData: excluded.append(episode.activeSince...resolution.day)
      case .rebased:
        baselineSince = max(baselineSince ?? episode.activeSince, episode.activeSince)
      case .recalibrated, .superseded, .retracted, .profileChanged, .left, .limitEnded: break
      }
    }
  }

  /// The past that a series has on `day`.
  ///
  /// - Parameters:
  ///   - ended: The episodes of the series that ended before `day`; retracted ones do not count.
  ///   - deviceChanges: In the order of their days.
  ///   - day: The day to evaluate.
  ///   - settings: Those of the profile, which say how far back values count.
  public init(
    ended: [Episode], deviceChanges: [DeviceChange], on day: Day, settings: EvidenceSettings
  ) {
    self.init(ended: ended)
    let horizon = day - settings.horizonDays
    let change = deviceChanges.last { $0.recognizedOn <= day && $0.isSeen(from: horizon) }
    if let since = change?.since, baselineSince.map({ since > $0 }) ?? true {
      baselineSince = since
      isRecalibrating = true
    }
  }
}
