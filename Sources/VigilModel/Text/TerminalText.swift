extension String {
  /// This text with U+FFFD in place of every character that could steer the terminal on which it is
  /// read, line breaks included.
  ///
  /// Names, ids and the messages of libraries come from elsewhere, and may hold escape sequences, a
  /// backspace that hides what stands before it, or marks that reorder a line so that it reads as
  /// something else. Text for a terminal passes through here where it leaves; cells of tables do so
  /// before their width is measured.
  public var terminalSafe: String {
    guard unicodeScalars.contains(where: \.steersTerminals) else { return self }
    var safe = String.UnicodeScalarView()
    for scalar in unicodeScalars { safe.append(scalar.steersTerminals ? "\u{FFFD}" : scalar) }
    return String(safe)
  }
}

extension Unicode.Scalar {
  /// Whether a terminal may obey this character, or show what surrounds it as something else.
  ///
  /// Zero-width joiners are none of these: scripts and emoji need them. Sources: ECMA-48 (control
  /// functions of 7 and 8 bits), Unicode Standard Annex #9 (marks, embeddings, overrides and isolates of
  /// text that runs both ways), Unicode Technical Report #36 (invisible characters), and Boucher and
  /// Anderson, "Trojan Source: Invisible Vulnerabilities", 2021.
  public var steersTerminals: Bool {
    switch value {
    // C0, DEL and C1.
    case 0x00...0x1F, 0x7F...0x9F: true
    // Directions: marks, embeddings with overrides, isolates.
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    // Line and paragraph separators.
    case 0x2028, 0x2029: true
    // Invisible: spaces of no width, operators, deprecated formats, the byte order mark, annotations, tags.
    case 0x180E, 0x200B, 0x2060...0x2065, 0x206A...0x206F, 0xFEFF, 0xFFF9...0xFFFB,
      0xE0000...0xE007F:
      true
    default: false
    }
  }
}
