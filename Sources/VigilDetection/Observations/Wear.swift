public import VigilModel

/// Whether a person wore a device on a day (specification, detection.md section 2).
public enum Wear: UInt8, Hashable, Sendable, CaseIterable {
  /// The person has no row on the day.
  case noRow
  /// The device was not worn: the day has no observation of a wearable metric.
  case notWorn
  /// The device was worn for some hours: steps and minutes of movement may be missing, other values count.
  case partWorn
  case worn

  /// Whether the person wore the device at all, which is a sign of life.
  public var isWorn: Bool { self == .worn || self == .partWorn }
}

/// Whether a device was worn on a day, and the rule that says so.
///
/// ```swift
/// let finding = WearFinding(.partWorn, because: .fewSteps(200, usual: 6_200))
/// print(finding.wear.isWorn, finding.leavesOutSteps, finding.leavesOutMovement)  // true true true
/// ```
public struct WearFinding: Hashable, Sendable {
  public var wear: Wear
  /// The rule that decided; nil where none had anything to say.
  public var reason: Reason?

  public init(_ wear: Wear, because reason: Reason? = nil) {
    self.wear = wear
    self.reason = reason
  }

  public enum Reason: Hashable, Sendable {
    /// Nothing in the rows of the day is above 0.
    case nothingPositive
    /// Zero steps or minutes of movement, and no value that only a body gives.
    case still
    /// The device says itself how many minutes it was worn.
    case minutes(Double)
    /// No resting heart rate, although that is usual, and a small part of the usual steps.
    case fewSteps(Double, usual: Double)
    /// No resting heart rate, although that is usual, no steps to compare, and no movement.
    case noMovement
  }

  /// Whether a metric of the day is missing because of wear.
  public func leavesOut(_ metric: MetricType) -> Bool {
    switch WearColumn(rawValue: metric.rawValue) {
    case .steps: leavesOutSteps
    case .movementMinutes: leavesOutMovement
    default: wear == .notWorn
    }
  }

  /// Whether steps of the day are missing.
  public var leavesOutSteps: Bool {
    wear == .notWorn || wear == .partWorn && reason != .noMovement
  }

  /// Whether minutes of movement of the day are missing.
  public var leavesOutMovement: Bool { wear == .notWorn || wear == .partWorn }
}

extension Wear {
  /// The name in JSON.
  public var name: String {
    switch self {
    case .noRow: "no_row"
    case .notWorn: "not_worn"
    case .partWorn: "part_worn"
    case .worn: "worn"
    }
  }
}

extension WearFinding.Reason {
  /// The name in JSON.
  public var name: String {
    switch self {
    case .nothingPositive: "nothing_positive"
    case .still: "still"
    case .minutes: "worn_minutes"
    case .fewSteps: "few_steps"
    case .noMovement: "no_movement"
    }
  }

  /// The minutes that the device says it was worn; nil for other reasons.
  public var wornMinutes: Double? {
    if case .minutes(let minutes) = self { minutes } else { nil }
  }

  /// The steps that were too few; nil for other reasons.
  public var steps: Double? {
    if case .fewSteps(let steps, _) = self { steps } else { nil }
  }

  /// The usual steps beside them.
  public var usualSteps: Double? {
    if case .fewSteps(_, let usual) = self { usual } else { nil }
  }
}
