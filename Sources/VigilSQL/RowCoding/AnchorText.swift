import Foundation
import VigilModel

/// The JSON of an `EvidenceAnchor`, as the column `anchor` holds it: each number as Swift prints it, which
/// keeps every bit.
enum AnchorText {
  private static let weekdays = 7

  /// The texts before the numbers.
  private static let marks =
    ([#"{"autocorrelation":"#, #","mean":"#, #","noise":"#, #","spread":"#, #","weekdays":["#]
    + Array(repeating: ",", count: weekdays - 1)).map { $0.utf8.map(CChar.init(bitPattern:)) }

  /// Returns the text with its keys ascending.
  ///
  /// JSON has only finite numbers, so that the table refuses the text of an anchor with another one.
  static func text(of anchor: EvidenceAnchor) -> String {
    let added = (0..<weekdays).map { "\(anchor.weekdays[$0])" }.joined(separator: ",")
    return #"{"autocorrelation":\#(anchor.autocorrelation),"mean":\#(anchor.mean),"#
      + #""noise":\#(anchor.noise),"spread":\#(anchor.spread),"weekdays":[\#(added)]}"#
  }

  /// Returns the anchor of a text; nil for one that Vigil cannot have written.
  static func anchor(of text: String) -> EvidenceAnchor? {
    (Members(asWritten: text) ?? Members(json: text))?.anchor
  }

  /// The numbers of an anchor by their keys.
  struct Members: Codable {
    var autocorrelation: Double
    var mean: Double
    var noise: Double
    var spread: Double
    var weekdays: [Double]

    init(_ anchor: EvidenceAnchor) {
      autocorrelation = anchor.autocorrelation
      mean = anchor.mean
      noise = anchor.noise
      spread = anchor.spread
      weekdays = (0..<AnchorText.weekdays).map { anchor.weekdays[$0] }
    }

    /// Nil where no day can be judged against it.
    var anchor: EvidenceAnchor? {
      guard weekdays.count == AnchorText.weekdays else { return nil }
      var added = SIMD8<Double>.zero
      for (weekday, value) in weekdays.enumerated() { added[weekday] = value }
      let anchor = EvidenceAnchor(
        mean: mean, weekdays: added, spread: spread, autocorrelation: autocorrelation,
        noise: noise)
      return anchor.isInRange ? anchor : nil
    }

    /// The members of any JSON with these keys.
    init?(json text: String) {
      guard let members = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else {
        return nil
      }
      self = members
    }

    /// The members of a text exactly as `text(of:)` writes it: a night reads these by the hundred
    /// thousand, and this takes a tenth of the decoder's time.
    init?(asWritten text: String) {
      let numbers = text.withCString { start -> [Double] in
        var numbers: [Double] = []
        numbers.reserveCapacity(AnchorText.marks.count)
        var next = start
        for mark in AnchorText.marks {
          guard strncmp(next, mark, mark.count) == 0 else { return [] }
          next += mark.count
          var end: UnsafeMutablePointer<CChar>?
          numbers.append(strtod(next, &end))
          guard let end, end > next else { return [] }
          next = UnsafePointer(end)
        }
        return strcmp(next, "]}") == 0 ? numbers : []
      }
      guard numbers.count == AnchorText.marks.count else { return nil }
      (autocorrelation, mean) = (numbers[0], numbers[1])
      (noise, spread) = (numbers[2], numbers[3])
      weekdays = Array(numbers[4...])
    }
  }
}

extension EvidenceAnchor {
  /// Whether the days of an episode can be judged against it (specification, evidence.md section 2).
  fileprivate var isInRange: Bool {
    mean.isFinite && (0..<7).allSatisfy { weekdays[$0].isFinite } && spread > 0 && spread.isFinite
      && 0 <= autocorrelation && autocorrelation < 1 && noise >= 1 && noise.isFinite
  }
}
