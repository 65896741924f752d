/// Texts that stand for a missing value in files of devices, of spreadsheets and of statistics programs.
enum MissingWord {
  private static let all: Set = [
    "--", "-", "na", "n/a", "nan", "null", "none", "<na>", "#n/a", "#nv",
  ]

  static func matches(_ text: String) -> Bool { all.contains(text.lowercased()) }
}
