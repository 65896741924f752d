import Foundation
import VigilDetection
import VigilModel
import VigilStorage

/// The sensitivities of a batch of persons (specification, sensitivity.md).
struct LoadedSensitivities {
  /// By the place of the person; persons whose metrics are all judged as the profile says are left out.
  private(set) var personal: [Int: PersonalSensitivity] = [:]
  /// Changes with the rows; 0 where there are none.
  private(set) var digest = 0
  /// Rows that cannot be used.
  private(set) var unusable = UnusableRows()

  /// None.
  init() {}

  /// - Throws: `StorageError`.
  init(of persons: [UUID], from reader: any StorageReader) throws {
    let found = try reader.sensitivities(of: persons)
    unusable = found.unusable
    guard !found.personal.isEmpty else { return }
    for (place, person) in persons.enumerated() {
      guard let own = found.personal[person] else { continue }
      personal[place] = own
      var hash = StableHash()
      hash.combine(person)
      for (metric, sensitivity) in own.overrides.sorted(by: { $0.key < $1.key }) {
        hash.combine(metric.rawValue)
        hash.combine(sensitivity.rawValue)
      }
      digest &+= Int(truncatingIfNeeded: hash.value)
    }
  }
}
