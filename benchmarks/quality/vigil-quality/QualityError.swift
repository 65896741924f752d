/// A problem with the command line or a file.
struct QualityError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
