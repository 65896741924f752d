import VigilModel

/// Values of one name in the Prometheus text exposition format, version 0.0.4.
///
/// All are gauges: a run's figures may go either way from night to night.
struct MetricFamily: Sendable {
  struct Sample: Sendable {
    /// Names and values, in the order in which they are written.
    var labels: KeyValuePairs<String, String>
    var value: Value
  }

  enum Value: Sendable, CustomStringConvertible {
    case number(Int)
    case seconds(microseconds: Int64)

    static func time(_ time: Timestamp) -> Value { .seconds(microseconds: time.microseconds) }

    var description: String {
      switch self {
      case .number(let number): return "\(number)"
      case .seconds(let microseconds):
        let (seconds, rest) = microseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        let sign = microseconds < 0 ? "-" : ""
        guard rest > 0 else { return "\(sign)\(seconds)" }
        let digits = String(String(1_000_000 + rest).dropFirst())
        return "\(sign)\(seconds).\(digits)"
      }
    }
  }

  var name: String
  /// One sentence on one line.
  var help: String
  var samples: [Sample]

  /// A line for each sample.
  var lines: [String] {
    samples.map { sample in
      let labels = sample.labels.map { "\($0)=\"\(Self.escaped($1))\"" }
      return "\(name){\(labels.joined(separator: ","))} \(sample.value)"
    }
  }

  /// The lines before the samples.
  var header: [String] {
    let help = help.replacing("\\", with: #"\\"#).replacing("\n", with: #"\n"#)
    return ["# HELP \(name) \(help)", "# TYPE \(name) gauge"]
  }

  private static func escaped(_ label: String) -> String {
    var text = ""
    for scalar in label.unicodeScalars {
      switch scalar {
      case "\\": text += #"\\"#
      case "\"": text += #"\""#
      case "\n": text += #"\n"#
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
