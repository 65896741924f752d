import VigilModel
import VigilStorage

/// The columns of a file of daily metrics, by their meaning.
struct DailyColumns {
  /// As many as the file has, in its order.
  let names: [String]
  let roles: [ColumnRole]
  let day: Int
  /// Nil where one person has all rows.
  let person: Int?
  /// Nil where all rows have one source.
  let source: Int?
  /// The columns of each metric, in the order of the first of each; several are added up.
  let metrics: [(metric: MetricType, columns: [(index: Int, unit: MetricUnit)])]
  /// The columns of the long format; nil where each metric has a column.
  let long: (metricName: Int, value: Int)?
  /// Meanings of words in the column of metrics.
  let words: [String: ColumnRole]

  /// - Throws: `ImportError` with everything that is wrong with the header.
  init(header: [String], request: DailyFileRequest, file: String) throws {
    var problems: [String] = []
    names = header
    var given: [String: ColumnRole] = [:]
    var words: [String: ColumnRole] = [:]
    for assignment in request.columns {
      let name = Self.match(assignment.column, in: header)
      if let name {
        if let earlier = given.updateValue(assignment.role, forKey: name),
          earlier != assignment.role
        {
          problems.append("\(file): column '\(name)' is given two meanings")
        }
      } else {
        words[assignment.column] = assignment.role
      }
    }
    self.words = words
    for assignment in request.preset?.columns ?? [] {
      guard let name = Self.match(assignment.column, in: header), given[name] == nil else {
        continue
      }
      given[name] = assignment.role
    }
    // A meaning that is given takes the place of the same one by name.
    let givenTargets = Set(given.values.compactMap(\.target))
    roles = header.map { name in
      if let role = given[name] { return role }
      guard request.preset == nil, let role = ColumnRole(header: name),
        !givenTargets.contains(role.target ?? "")
      else {
        return .ignored
      }
      return role
    }
    var indices: [String: [Int]] = [:]
    for (index, role) in roles.enumerated() {
      if let target = role.target { indices[target, default: []].append(index) }
    }
    let isLong = indices["metric"] != nil && indices["value"] != nil
    for (target, found) in indices.sorted(by: { $0.key < $1.key }) where found.count > 1 {
      let areGiven = found.allSatisfy { given[header[$0]] != nil }
      if case .metric = roles[found[0]], areGiven,
        Set(found.map { header[$0] }).count == found.count
      {
        continue
      }
      let columns = found.map { "'\(header[$0])'" }.joined(separator: " and ")
      problems.append(
        "\(file): columns \(columns) both are \(target); choose one")
    }
    day = indices["metric_date"]?.first ?? 0
    person = indices["user_id"]?.first
    source = indices["source"]?.first
    long =
      isLong
      ? indices["metric"]?.first.flatMap { name in
        indices["value"]?.first.map { (name, $0) }
      } : nil
    var metrics: [(metric: MetricType, columns: [(index: Int, unit: MetricUnit)])] = []
    for (index, role) in roles.enumerated() {
      guard !isLong, case .metric(let metric, let unit) = role else { continue }
      if let place = metrics.firstIndex(where: { $0.metric == metric }) {
        metrics[place].columns.append((index, unit))
      } else {
        metrics.append((metric, [(index, unit)]))
      }
    }
    self.metrics = metrics

    if let preset = request.preset, indices["metric_date"] == nil || metrics.isEmpty && !isLong {
      throw ImportError(
        .badData,
        "\(file): the first line is not that of files for the preset \(preset.name); nothing was imported",
        problems: ["\(file): the preset has \(Self.list(preset.columns.map(\.column)))"],
        remedy: .describeColumns)
    }
    guard !indices.isEmpty else {
      // The first line may be a row of values, so the message repeats no word of it.
      throw ImportError(
        .badData,
        "\(file): the first line names no column of daily metrics (metric_date, user_id, source, steps,"
          + " ...); nothing was imported", remedy: .describeColumns)
    }
    if !isLong {
      for word in words.keys.sorted() {
        let nearest = NearestName.of(word, among: header).map { "; did you mean '\($0)'?" } ?? ""
        problems.append("\(file): column '\(word)' is not there\(nearest)")
      }
    }
    if indices["metric_date"] == nil {
      problems.append("\(file): no column has the date (metric_date)")
    }
    if !isLong, metrics.isEmpty {
      problems.append("\(file): no column has a metric")
    }
    problems += Self.choice(
      file: file, column: person.map { header[$0] }, isGiven: request.user != nil, noun: "person",
      target: "user_id")
    if source != nil || request.preset?.source == nil {
      problems += Self.choice(
        file: file, column: source.map { header[$0] }, isGiven: request.source != nil,
        noun: "source", target: "source")
    }
    guard problems.isEmpty else {
      throw ImportError(
        .badData, "\(file) cannot be read as daily metrics; nothing was imported",
        problems: problems, remedy: .describeColumns)
    }
  }

  private static func list(_ names: [String]) -> String {
    names.map { "'\($0)'" }.joined(separator: ", ")
  }

  /// A column with the exact name, or the only one with its letters.
  private static func match(_ name: String, in header: [String]) -> String? {
    if header.contains(name) { return name }
    let letters = ColumnRole.letters(of: name)
    let alike = header.filter { ColumnRole.letters(of: $0) == letters }
    return alike.count == 1 && !letters.isEmpty ? alike[0] : nil
  }

  /// The fault where both a column and the request, or neither, say what holds for a row.
  private static func choice(
    file: String, column: String?, isGiven: Bool, noun: String, target: String
  ) -> [String] {
    switch (column, isGiven) {
    case (nil, false):
      ["\(file): no column has the \(noun) (\(target)), and none is given for all rows"]
    case (.some(let column), true):
      [
        "\(file): column '\(column)' has the \(noun), and another is given for all rows; leave that out,"
          + " or ignore the column"
      ]
    default: []
    }
  }
}
