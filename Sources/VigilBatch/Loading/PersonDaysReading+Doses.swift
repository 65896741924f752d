import Foundation
import VigilAdherence
import VigilCharts
import VigilModel

extension PersonDaysReading {
  /// By person, the doses of each medication in the order of ids.
  func doses(of batch: LoadedBatch) -> [UUID: [DoseLanes.Lane]] {
    guard let rows = batch.medications, rows.block.medicationCount > 0 else { return [:] }
    var result = AdherenceResult()
    AdherenceEvaluator(zones: zones, keepsDoses: true).evaluate(
      rows.block,
      over: AdherenceWindow(
        day: days.upperBound, evaluatedAt: evaluatedAt,
        periods: [.period(.thirtyDays, endingAt: days.upperBound)], daily: days),
      into: &result)
    let medications = Dictionary(
      rows.schedules.map { ($0.id, $0.medication) }, uniquingKeysWith: { $1 })
    var marks: [UUID: [[DoseLanes.Mark]]] = [:]
    func add(_ mark: DoseLanes.Mark, _ medication: UUID, _ day: Day) {
      guard days.contains(day) else { return }
      marks[medication, default: Array(repeating: [], count: days.count)][
        day - days.lowerBound
      ].append(mark)
    }
    for dose in result.doses.sorted(by: { $0.time.microseconds < $1.time.microseconds }) {
      if let medication = medications[dose.schedule] {
        add(DoseLanes.Mark(dose), medication, dose.day)
      }
    }
    for dose in result.extraDoses + result.asNeededDoses { add(.extra, dose.medication, dose.day) }
    var lanes: [UUID: [DoseLanes.Lane]] = [:]
    for row in result.analytics {
      guard let medication = row.medication, let doses = marks[medication] else { continue }
      lanes[row.user, default: []].append(
        DoseLanes.Lane(label: medication.lowercased, doses: doses))
    }
    return lanes.mapValues { $0.sorted { $0.label < $1.label } }
  }
}

extension DoseLanes.Mark {
  fileprivate init(_ dose: EvaluatedDose) {
    switch dose.outcome {
    case .taken:
      switch dose.timing {
      case .late: self = .late
      case .early: self = .early
      case .onTime, nil: self = .taken
      }
    case .skipped: self = .skipped
    case .missed: self = .missed
    case .plannedSkip: self = .plannedSkip
    case .pending: self = .pending
    }
  }
}
