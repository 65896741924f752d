public import VigilStorage

extension Migration {
  /// Returns the migrations of a database, in order.
  ///
  /// - Parameter files: Names and texts. `NNNN_subject.up.sql` and `NNNN_subject.down.sql` are a migration, with
  ///   numbers from 1 without gaps, and the same subjects in every database; others are left out.
  public static func numbered(_ files: [(name: String, text: String)]) -> [Migration] {
    let texts = Dictionary(uniqueKeysWithValues: files.map { ($0.name, $0.text) })
    return texts.keys.filter { $0.hasSuffix(".up.sql") }.sorted().map { name in
      let stem = name.dropLast(".up.sql".count)
      guard let number = Int(stem.prefix(4)), let up = texts[name],
        let down = texts["\(stem).down.sql"]
      else { preconditionFailure("\(name) has no number, or no way back") }
      return Migration(number: number, name: String(stem.dropFirst(5)), up: up, down: down)
    }
  }
}
