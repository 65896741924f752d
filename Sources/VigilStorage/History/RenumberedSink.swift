import VigilModel

/// Gives rows of some of a sink's persons to it.
final class RenumberedSink<Sink: MetricRowSink>: MetricRowSink {
  private let indexes: [Int]
  private let sink: Sink

  /// - Parameter indexes: By person, their index in the sink.
  init(_ indexes: [Int], _ sink: Sink) {
    self.indexes = indexes
    self.sink = sink
  }

  func index(ofSource name: String) -> Int { sink.index(ofSource: name) }

  var wantsCreation: Bool { sink.wantsCreation }

  func noteCreation(at instant: Timestamp?) { sink.noteCreation(at: instant) }

  func append(
    person: Int, day: Day, source: Int, values: UnsafeBufferPointer<Double>,
    isOtherPositive: Bool, updatedAt: Timestamp?
  ) {
    sink.append(
      person: indexes[person], day: day, source: source, values: values,
      isOtherPositive: isOtherPositive, updatedAt: updatedAt)
  }
}
