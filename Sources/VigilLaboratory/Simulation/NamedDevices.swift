import VigilModel

/// The device changes that a series shows whose rows name the device (specification, evidence.md section 7).
///
/// Every device of a simulated person has a name of its own, and no day has two.
enum NamedDevices {
  private static let after = 3
  private static let fewestBefore = 10

  /// Returns the changes in the order of their days.
  ///
  /// - Parameters:
  ///   - values: NaN on days without a value.
  ///   - starts: The indexes of the first days of further devices, ascending.
  ///   - firstDay: The day of the first value.
  static func changes(
    in values: UnsafeBufferPointer<Double>, starts: [Int], firstDay: Day
  ) -> [DeviceChange] {
    let days = values.indices.filter { !values[$0].isNaN }
    return starts.indices.compactMap { index in
      let end = index + 1 < starts.count ? starts[index + 1] : values.count
      let own = days.indices.filter { (starts[index]..<end).contains(days[$0]) }
      guard own.count >= after, own[0] >= fewestBefore else { return nil }
      return DeviceChange(
        recognizedOn: firstDay + days[own[after - 1]], since: firstDay + days[own[0]],
        horizons: Day.calendar.lowerBound...(firstDay + days[own[0] - fewestBefore]))
    }
  }
}
