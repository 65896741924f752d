public import VigilModel

extension Thresholds {
  /// The profile as it is for one person, whose sensitivity is input and no profile of its own: version and digest
  /// stay (specification, sensitivity.md).
  ///
  /// Metrics that are `off` are left out. Under `evidence` a threshold is 0.35 higher where the person is less
  /// sensitive, and 0.35 lower where more; under `dose_evidence` it is 1.5 nats; under `means` the bounds of rules are
  /// 1.5 or 0.75 times as far from the baseline. Of silence the pauses a year that may alert are halved or doubled;
  /// overdue check-ins know only `off`.
  ///
  /// ```swift
  /// let steps = MetricThresholds(
  ///   metric: MetricType("steps"), unit: "steps", pattern: .drop,
  ///   rules: [MetricRule(.percentDropAtLeast, 0.2)])
  /// let usual = Thresholds(version: "mine", digest: "", metrics: [steps])
  /// let own = usual.adjusted(to: PersonalSensitivity([MetricType("steps"): .higher]))
  /// print((own.metrics[0].rules[0].threshold * 100).rounded())  // 15.0
  /// ```
  public func adjusted(to personal: PersonalSensitivity) -> Thresholds {
    if personal.isNormal { return self }
    var own = self
    own.metrics = metrics.filter { personal[$0.metric] != .off }
      .map { $0.adjusted(to: personal[$0.metric]) }
    own.combined = combined?.adjusted(to: personal)
    own.inactivity =
      personal[.inactivity] == .off ? nil : inactivity?.adjusted(to: personal[.inactivity])
    if personal[.checkInOverdue] == .off { own.checkInOverdue = nil }
    return own
  }
}

extension MetricThresholds {
  /// The same for a person with some sensitivity for it; `off` changes nothing here.
  ///
  /// - Parameter sensitivity: The person's, for this metric.
  public func adjusted(to sensitivity: Sensitivity) -> MetricThresholds {
    guard sensitivity.addedEvidence != 0 else { return self }
    var own = self
    if let evidence {
      own.evidence?.thresholds = evidence.thresholds.moved(by: sensitivity.addedEvidence)
    } else if let doses {
      own.doses?.thresholds = doses.thresholds.moved(by: sensitivity.addedDoseEvidence)
    } else {
      own.rules = rules.map { $0.scaled(by: sensitivity.boundFactor) }
    }
    return own
  }
}

extension CombinedSettings {
  /// The same for a person: without the metrics that are off, and with the sensitivity for them together; nil where
  /// that is off.
  func adjusted(to personal: PersonalSensitivity) -> CombinedSettings? {
    guard personal[.combined] != .off else { return nil }
    var own = self
    own.metrics.removeAll { personal[$0] == .off }
    let added = personal[.combined].addedEvidence
    if added != 0 { own.thresholds = thresholds.mapValues { max($0 + added, 0.1) } }
    return own
  }
}

extension MetricRule {
  /// A rule about the size of a change, for a change that is so many times as large.
  ///
  /// The bound of `absolute_drop_below` is a place and no size, and stays.
  fileprivate func scaled(by factor: Double) -> MetricRule {
    kind == .absoluteDropBelow ? self : MetricRule(kind, threshold * factor)
  }
}

extension Sensitivity {
  /// The evidence by which a threshold rises.
  fileprivate var addedEvidence: Double {
    switch self {
    case .lower: 0.35
    case .higher: -0.35
    case .normal, .off: 0
    }
  }

  /// The evidence of missed doses by which a threshold rises, in nats.
  fileprivate var addedDoseEvidence: Double {
    switch self {
    case .lower: 1.5
    case .higher: -1.5
    case .normal, .off: 0
    }
  }

  /// The factor of the bounds of rules.
  fileprivate var boundFactor: Double {
    switch self {
    case .lower: 1.5
    case .higher: 0.75
    case .normal, .off: 1
    }
  }
}
