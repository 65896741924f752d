public import Foundation
import VigilCharts
public import VigilModel
public import VigilStorage

extension Sequence<RunRecord> {
  /// By run, the last day that it evaluated: the day whose notifications it planned.
  public var lastEvaluatedDays: [UUID: Day] {
    Dictionary(map { ($0.id, $0.days.upperBound) }, uniquingKeysWith: { $1 })
  }
}

extension Sequence<QueuedNotification> {
  /// One mark of each kind a day: channels and recipients of one night are one event.
  ///
  /// - Parameter evaluated: By run, its last evaluated day; rows of other runs have no mark.
  func marks(_ evaluated: [UUID: Day]) -> [SeriesStrip.Mark] {
    [SeriesStrip.Mark.Kind.sent, .withheld].flatMap { kind in
      Set(filter { $0.mark == kind }.compactMap { evaluated[$0.runID] }).sorted()
        .map { SeriesStrip.Mark(kind, on: $0) }
    }
  }
}

extension QueuedNotification {
  /// Whether it was sent, or still is to be sent, or is withheld.
  fileprivate var mark: SeriesStrip.Mark.Kind {
    switch status {
    case .pending, .processing, .sent: .sent
    case .failed, .cancelled, .skipped: .withheld
    }
  }
}
