extension String {
  /// This text as one word of a shell's command line, whatever characters it has.
  var shellWord: String {
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}
