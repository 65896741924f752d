import Foundation

/// The reason why a file cannot be written.
public struct NewFileError: Error, Sendable, Hashable, CustomStringConvertible {
  public let code: Code
  /// The file, as the user named it.
  public let path: String
  /// The number of the system's error; 0 where there was none.
  public let systemError: Int32

  init(_ code: Code, _ path: String, _ systemError: Int32 = 0) {
    self.code = code
    self.path = path
    self.systemError = systemError
  }

  public enum Code: Sendable, Hashable, CaseIterable {
    /// There is a file of this name.
    case isThere
    case isFolder
    /// There is a disk or a socket, or something that is no file any more.
    case isNoFile
    /// The name is a link of another user.
    case isLinkOfOthers
    /// The name is a link to nothing.
    case isBrokenLink
    /// The name that the contents have until they are complete is taken.
    case isObstructed
    /// Another process writes the file.
    case isBeingWritten
    /// The system refuses.
    case unwritable
  }

  /// The fault, without the name of the file.
  public var fault: String {
    switch code {
    case .isThere: "is there already"
    case .isFolder: "is a folder"
    case .isNoFile: "is no file, and is not replaced by one"
    case .isLinkOfOthers: "is a link of another user, which is not followed"
    case .isBrokenLink: "is a link to nothing"
    case .isObstructed: "cannot be written: \(path).partial is no file, or belongs to another user"
    case .isBeingWritten: "is being written by another process"
    case .unwritable: "cannot be written (\(String(cString: strerror(systemError))))"
    }
  }

  /// The remedy, in words.
  public var advice: String {
    switch code {
    case .isThere: "choose another name, or allow replacing it"
    case .isFolder: "give the name of a file"
    case .isNoFile: "choose another name"
    case .isLinkOfOthers, .isBrokenLink: "give the path of a file, or remove the link"
    case .isObstructed: "choose another name, or remove that"
    case .isBeingWritten: "try again when it is done, or choose another name"
    case .unwritable: "check its folder, permissions and free space"
    }
  }

  public var description: String { "\(path) \(fault); \(advice)" }
}
