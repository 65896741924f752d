/// The schema of a database compared with the one that the migrations of this version make.
public struct CatalogueComparison: Sendable {
  /// The differences of one table, or of the functions.
  struct Difference: Hashable {
    /// Empty for functions.
    var table: String
    /// Whether runs would fail.
    var isFailure: Bool
    /// Each names one entry and its fault.
    var faults: [String]
    /// Definitions of missing indexes.
    var missingIndexes: [String]
  }

  /// By table, missing ones first.
  let differences: [Difference]
  let entryCount: Int

  /// - Parameters:
  ///   - expected: The schema that the migrations of this version make.
  ///   - found: The schema of the database; tables that are not expected are not compared.
  ///   - foreign: Input tables and views that are an app's own: neither they nor entries that refer
  ///     to them are compared.
  public init(
    of found: [CatalogueEntry], with expected: [CatalogueEntry], foreign: Set<String> = []
  ) {
    let judged = expected.filter { entry in
      !foreign.contains(entry.table)
        && !foreign.contains { entry.definition.contains("REFERENCES \(Self.schema).\($0)(") }
    }
    let known = Dictionary(grouping: judged, by: \.table)
    let present = Dictionary(grouping: found, by: \.table)
    entryCount = judged.count
    differences = known.keys.sorted().compactMap { table in
      Self.difference(
        in: table, of: present[table] ?? [], with: known[table] ?? [],
        allExpected: Set(expected.map(\.key)))
    }
  }

  /// The placeholder for the schema in definitions.
  public static let schema = "{{schema}}"

  private static func difference(
    in table: String, of found: [CatalogueEntry], with expected: [CatalogueEntry],
    allExpected: Set<CatalogueEntry.Key>
  ) -> Difference? {
    let relation = found.first { $0.kind == .table }
    guard table.isEmpty || relation != nil else {
      return Difference(
        table: table, isFailure: true, faults: ["it is missing"], missingIndexes: [])
    }
    // Keys and indexes of a partitioned table must be different.
    let isPartitioned = relation?.definition.hasPrefix("partitioned") ?? false
    let judged = isPartitioned ? expected.filter { $0.kind == .column } : expected
    let definitions = Dictionary(found.map { ($0.key, $0.definition) }) { first, _ in first }
    var difference = Difference(table: table, isFailure: false, faults: [], missingIndexes: [])
    for entry in judged {
      let definition = definitions[entry.key]
      guard definition != entry.definition else { continue }
      difference.faults.append(Self.fault(of: entry, foundAs: definition))
      // A constraint or a policy with another definition is still there.
      difference.isFailure =
        difference.isFailure || definition == nil || [.table, .column, .index].contains(entry.kind)
      if entry.kind == .index, definition == nil {
        difference.missingIndexes.append(entry.definition)
      }
    }
    for entry in found where !isPartitioned && entry.mayGetInTheWay {
      if allExpected.contains(entry.key) { continue }
      difference.faults.append("\(entry.kind.rawValue) \(entry.name) is none of Vigil's")
    }
    return difference.faults.isEmpty ? nil : difference
  }

  private static func fault(of entry: CatalogueEntry, foundAs definition: String?) -> String {
    let name = entry.kind == .table ? "the table" : "\(entry.kind.rawValue) \(entry.name)"
    guard let definition else { return "\(name) is missing" }
    guard max(definition.count, entry.definition.count) <= 60 else {
      return "\(name) has another definition"
    }
    return "\(name) is '\(definition)', not '\(entry.definition)'"
  }
}

extension CatalogueEntry {
  /// Whether an entry that Vigil did not make can keep a run from writing, or change the rows it
  /// writes.
  fileprivate var mayGetInTheWay: Bool {
    switch kind {
    case .constraint, .policy, .trigger: true
    case .column: definition.contains("NOT NULL") && !definition.contains("DEFAULT")
    case .table, .index, .function: false
    }
  }
}
