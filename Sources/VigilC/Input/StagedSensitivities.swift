import VigilModel

/// The sensitivities of persons who are not evaluated yet (specification, sensitivity.md).
struct StagedSensitivities {
  private var overrides: [UUID: [MetricType: Sensitivity]] = [:]

  /// The name of the table among rows that cannot be used.
  static let table = "sensitivity_overrides"

  /// Takes a batch or, where it throws, nothing of it.
  ///
  /// - Returns: The persons of rows that cannot be used.
  mutating func add(_ batch: RecordBatch) throws(Failure) -> [UUID] {
    let cells = Cells(batch: batch, table: "sensitivities")
    let names = StagedRows.Names.person
    let persons = try cells.required(names, "whose sensitivity it is", cells.ids(names))
    let metrics = ["metric_type", "metric"]
    let ofMetrics = try cells.required(
      metrics, "the metric that the person is sensitive to", cells.texts(metrics))
    let words = try cells.texts(["sensitivity"])
    _ = try batch.requiredColumn(["sensitivity"], "off, lower, normal or higher")
    var unusable: [UUID] = []
    for (row, person) in persons.enumerated() {
      guard let sensitivity = words[row].flatMap(Sensitivity.init) else {
        unusable.append(person)
        continue
      }
      overrides[person, default: [:]][MetricType(ofMetrics[row])] = sensitivity
    }
    return unusable
  }

  subscript(person: UUID) -> PersonalSensitivity {
    overrides[person].map(PersonalSensitivity.init) ?? PersonalSensitivity()
  }

  /// By place in a block, where they are not the profile's.
  func personal(of persons: [PersonRows]) -> [Int: PersonalSensitivity] {
    guard !overrides.isEmpty else { return [:] }
    var personal: [Int: PersonalSensitivity] = [:]
    for (place, person) in persons.enumerated() {
      let own = self[person.id]
      if !own.isNormal { personal[place] = own }
    }
    return personal
  }

  /// Removes the rows of persons who are evaluated.
  mutating func remove(_ persons: [UUID]) {
    for person in persons { overrides[person] = nil }
  }
}
