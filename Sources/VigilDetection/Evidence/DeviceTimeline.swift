import VigilModel

/// The changes of device of a series, on the axis of loaded days (specification, evidence.md section 7).
struct DeviceTimeline {
  /// In the order of their days.
  let changes: [DeviceChange]
  let firstDay: Day
  let horizonDays: Int

  /// The first day of the device in use on `day`, as far as the values of its horizon show a change.
  func since(on day: Int) -> Int {
    if changes.isEmpty { return .min }
    let horizon = firstDay + (day - horizonDays)
    let change = changes.last { $0.recognizedOn <= firstDay + day && $0.isSeen(from: horizon) }
    return change.map { $0.since - firstDay } ?? .min
  }

  /// Whether another device is recognized on `day`.
  func isRecognized(on day: Int) -> Bool {
    changes.contains {
      $0.recognizedOn == firstDay + day && $0.isSeen(from: firstDay + (day - horizonDays))
    }
  }
}
