/// The parts that a text message is sent in, each of which a provider bills.
///
/// Text in the alphabet of GSM (3GPP TS 23.038, 7 bits) has room for 160 characters in one part and for 153 in each of
/// several; some, such as `€`, take the room of two. Other text is sent as UCS-2: 70 units of 16 bits, and 67.
///
/// ```swift
/// print(MessageSegments.count(of: "Please check in."))  // 1
/// ```
public enum MessageSegments {
  private static let alphabet = Set(
    """
    @£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿\
    abcdefghijklmnopqrstuvwxyzäöñüà
    """.unicodeScalars)
  private static let twofold = Set("\u{C}^{}\\[~]|€".unicodeScalars)

  /// Returns the number of parts of a text; 1 for an empty one.
  ///
  /// - Complexity: O(length of the text).
  public static func count(of text: String) -> Int {
    let scalars = text.unicodeScalars
    if scalars.allSatisfy({ alphabet.contains($0) || twofold.contains($0) }) {
      return count(scalars.lazy.map { twofold.contains($0) ? 2 : 1 }, alone: 160, each: 153)
    }
    return count(scalars.lazy.map { UTF16.width($0) }, alone: 70, each: 67)
  }

  /// - Parameters:
  ///   - sizes: Of the characters, none of which is divided.
  ///   - alone: The room of a part that is the only one.
  ///   - each: The room of each of several.
  private static func count(_ sizes: some Sequence<Int>, alone: Int, each: Int) -> Int {
    guard sizes.reduce(0, +) > alone else { return 1 }
    var (parts, used) = (1, 0)
    for size in sizes {
      if used + size > each { (parts, used) = (parts + 1, 0) }
      used += size
    }
    return parts
  }
}
