/// A text in the exposition format of Prometheus, version 0.0.4, read without any leniency.
///
/// https://prometheus.io/docs/instrumenting/exposition_formats/
public struct PrometheusText: Sendable {
  public struct Sample: Hashable, Sendable {
    public var family: String
    public var labels: [String: String]
    public var value: Double
  }

  public struct Fault: Error, CustomStringConvertible {
    public var description: String
  }

  public private(set) var samples: [Sample] = []
  /// Names with their types.
  public private(set) var types: [String: String] = [:]

  /// - Throws: `Fault` at the first line that is not as it has to be.
  public init(_ text: String) throws {
    guard text.hasSuffix("\n") else { throw Fault(description: "no line break at the end") }
    var helped: Set<String> = []
    var present: String?
    for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
      if let match = line.wholeMatch(of: /# HELP ([a-z_]+) (.+)/) {
        let name = String(match.1)
        guard helped.insert(name).inserted else { throw Fault(description: "twice: \(line)") }
        guard match.2.replacing(/\\[\\n]/, with: "").contains("\\") == false else {
          throw Fault(description: "bad escape: \(line)")
        }
        present = name
      } else if let match = line.wholeMatch(of: /# TYPE ([a-z_]+) (counter|gauge|untyped)/) {
        let name = String(match.1)
        guard present == name, types.updateValue(String(match.2), forKey: name) == nil else {
          throw Fault(description: "not after its HELP: \(line)")
        }
      } else {
        let sample = try Self.sample(line)
        guard present == sample.family, types[sample.family] != nil else {
          throw Fault(description: "not within its family: \(line)")
        }
        guard !samples.contains(where: { $0.isOfSameSeries(as: sample) }) else {
          throw Fault(description: "twice: \(line)")
        }
        samples.append(sample)
      }
    }
    let empty = Set(types.keys).subtracting(samples.map(\.family))
    guard empty.isEmpty else { throw Fault(description: "without any sample: \(empty.sorted())") }
  }

  private static func sample(_ line: Substring) throws -> Sample {
    let label = /([a-z_]+)="((?:[^"\\]|\\[\\"n])*)"/
    guard
      let match = line.wholeMatch(of: /([a-z_]+)(?:\{(.+)\})? (-?[0-9]+(?:\.[0-9]+)?)/),
      let value = Double(match.3)
    else { throw Fault(description: "no sample: \(line)") }
    var labels: [String: String] = [:]
    var rest = match.2 ?? ""
    while !rest.isEmpty {
      guard let found = rest.prefixMatch(of: label),
        labels.updateValue(unescaped(found.2), forKey: String(found.1)) == nil
      else { throw Fault(description: "bad labels: \(line)") }
      rest = rest[found.range.upperBound...]
      guard rest.isEmpty || rest.first == "," && rest.count > 1 else {
        throw Fault(description: "bad labels: \(line)")
      }
      rest = rest.dropFirst()
    }
    return Sample(family: String(match.1), labels: labels, value: value)
  }

  private static func unescaped(_ text: Substring) -> String {
    String(text.replacing(/\\(.)/) { $0.output.1 == "n" ? "\n" : String($0.output.1) })
  }

  /// The value of one series; nil where there is none.
  public func value(_ family: String, _ labels: [String: String]) -> Double? {
    samples.first { $0.family == family && $0.labels == labels }?.value
  }
}

extension PrometheusText.Sample {
  fileprivate func isOfSameSeries(as other: Self) -> Bool {
    family == other.family && labels == other.labels
  }
}
