import TestDatabases
import TestSupport

extension DatabaseKind {
  /// Each profile on SQLite, and v3, the default, on PostgreSQL, too; `make test-nightly` has each on both.
  static let withProfiles: [(DatabaseKind, String)] = allCases.flatMap { kind in
    (kind == .sqlite || Repetitions.areLong ? ["v1", "v2", "v3"] : ["v3"]).map { (kind, $0) }
  }
}
