/// The measured part of a report: tables by the name of their place, charts by the name of their file.
struct Section {
  var tables: [String: String] = [:]
  var charts: [String: Chart] = [:]
}
