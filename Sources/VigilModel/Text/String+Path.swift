extension String {
  /// The path that this one is for a command whose current folder is `folder`.
  ///
  /// - Parameter folder: An absolute path; nil for the current folder of the process, where a relative path
  ///   stays as it is.
  public func path(startingIn folder: String?) -> String {
    guard let folder, !isEmpty, !hasPrefix("/") else { return self }
    return "\(folder)/\(self)"
  }
}
