import Foundation
public import PostgresTestServer

/// The log of a server that writes down the plan of every statement, with the rows that came out of each
/// node and those that it threw away.
public struct PlanLog {
  private let file: URL

  init(of server: PostgresServer) {
    file = URL(filePath: server.folder).appending(path: "log")
  }

  /// The one server of this process that logs plans, for the sessions of the user `vigil`.
  public static func server() throws -> PostgresServer { try running.get() }

  private static let running = Result {
    let server = try PostgresServer()
    try PostgresSession(url: server.url(as: "postgres")).execute(
      """
      ALTER ROLE vigil SET session_preload_libraries = 'auto_explain';
      ALTER ROLE vigil SET auto_explain.log_min_duration = 0;
      ALTER ROLE vigil SET auto_explain.log_analyze = on;
      ALTER ROLE vigil SET auto_explain.log_timing = off;
      ALTER ROLE vigil SET auto_explain.log_format = 'json';
      ALTER ROLE vigil SET auto_explain.log_nested_statements = on;
      """)
    return server
  }

  func count(_ body: () throws -> Void) throws -> StatementWork {
    let handle = try FileHandle(forReadingFrom: file)
    try handle.seekToEnd()
    try body()
    // A server writes a plan before it answers.
    let text = String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
    var work = StatementWork()
    for plan in Self.plans(in: text) {
      // A row is looked up by its key; there are too many of these to read each plan.
      if plan.contains(#""Query Text": "SELECT 1 FROM ONLY "#) {
        work.add(2, of: "a check of a foreign key")
        continue
      }
      let parsed = try JSONSerialization.jsonObject(with: Data(plan.utf8))
      guard let statement = parsed as? [String: Any], let sql = statement["Query Text"] as? String
      else { continue }
      work.add(Self.rows(below: statement["Plan"] as Any), of: sql)
    }
    return work
  }

  /// The plans: the lines after each line that announces one, as far as they begin with a tab.
  private static func plans(in log: String) -> [String] {
    var plans: [String] = []
    var isInPlan = false
    for line in log.split(separator: "\n") {
      if line.hasSuffix(" plan:") {
        plans.append("")
        isInPlan = true
      } else if isInPlan, line.first == "\t" {
        plans[plans.count - 1] += line.dropFirst() + "\n"
      } else {
        isInPlan = false
      }
    }
    return plans
  }

  /// Rows that a node and those below it gave or threw away, and how often each of them was begun.
  private static func rows(below value: Any) -> Int {
    guard let node = value as? [String: Any] else { return 0 }
    let loops = node["Actual Loops"] as? Double ?? 0
    let rows = node.filter { $0.key == "Actual Rows" || $0.key.hasPrefix("Rows Removed by ") }
      .values.reduce(1) { $0 + ($1 as? Double ?? 0) }
    let children = node["Plans"] as? [Any] ?? []
    return Int(loops * rows) + children.reduce(0) { $0 + Self.rows(below: $1) }
  }
}
