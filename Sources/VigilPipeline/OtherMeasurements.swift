import VigilDetection
public import VigilModel

/// The measurements of a row that an `ObservationBuilder` does not get, and which show that a device was worn.
public struct OtherMeasurements {
  private let places: [Int]

  /// - Parameters:
  ///   - own: The columns that the builder gets.
  ///   - columns: The metrics of a row.
  public init(beside own: [MetricType], among columns: some Collection<MetricType>) {
    places = columns.enumerated()
      .filter { $0.element != .wornMinutes && !own.contains($0.element) }.map(\.offset)
  }

  /// Whether any of them is above 0, and can be a measurement.
  public func isAnyPositive(in row: UnsafeBufferPointer<Double>) -> Bool {
    places.contains { ObservationBuilder.isPositive(row[$0]) }
  }
}
