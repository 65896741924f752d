import VigilModel

extension VitalitySettings {
  /// Reads and validates a vitality file.
  ///
  /// - Parameters:
  ///   - data: The file's bytes.
  ///   - file: The name of the file in messages.
  ///   - digest: SHA-256 of `data` in lower-case hexadecimal.
  /// - Throws: `ThresholdsError` with every problem the file has.
  public init(json data: some Sequence<UInt8>, file: String, digest: String) throws {
    self = try JSONReader.read(data, file: file) { VitalitySettings(reading: $0, digest: digest) }
  }

  /// Whether a file is a vitality file and no thresholds file: it has rules for scores.
  public static func isMeant(byJSON data: some Sequence<UInt8>) -> Bool {
    guard case .object(let fields) = try? JSONValue(parsing: data) else {
      return false
    }
    return fields["metrics"] == nil && (fields["scores"] != nil || fields["trends"] != nil)
  }

  private init(reading reader: JSONReader, digest: String) {
    self.init(
      version: reader.version(example: "vitality.v1"), digest: digest, scores: .init(),
      trends: .init())
    reader.allowOnly(["$schema", "version", "scores", "trends"])
    if let object = reader.requiredObject("scores", "how pillars are scored") {
      scores = ScoreSettings(reading: object)
    }
    if let object = reader.object("trends") { trends = TrendSettings(reading: object) }
  }
}

extension JSONReader {
  func requiredObject(_ key: String, _ what: String) -> JSONReader? {
    if value(key) == nil { complain(key, "is missing; \(what)") }
    return object(key)
  }
}
