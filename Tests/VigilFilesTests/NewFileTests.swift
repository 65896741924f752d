import Foundation
import TestSupport
import Testing
import VigilFiles

@Suite struct NewFileTests {
  private func file(
    _ name: String, in folder: TemporaryDirectory, replaces: Bool = true,
    readers: NewFile.Readers = .umask
  ) throws -> NewFile {
    try NewFile(path: name, at: folder.path(name), replaces: replaces, readers: readers)
  }

  private func text(_ name: String, in folder: TemporaryDirectory) throws -> String {
    try String(contentsOf: folder.url(name), encoding: .utf8)
  }

  private func mode(_ name: String, in folder: TemporaryDirectory) -> mode_t {
    var status = stat()
    return lstat(folder.path(name), &status) == 0 ? status.st_mode : 0
  }

  /// Expects that the file is refused for this reason, and that its folder stays as it is.
  private func expectRefusal(
    _ name: String, _ code: NewFileError.Code, replaces: Bool = true, in folder: TemporaryDirectory,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try folder.contents()
    let error = #expect(throws: NewFileError.self, sourceLocation: sourceLocation) {
      try file(name, in: folder, replaces: replaces)
    }
    #expect(error?.code == code, sourceLocation: sourceLocation)
    #expect(error?.path == name, sourceLocation: sourceLocation)
    #expect(try folder.contents() == before, sourceLocation: sourceLocation)
  }

  // MARK: Regular files

  @Test func aFileIsThereWhenItIsComplete() throws {
    try TemporaryDirectory.with { folder in
      let stream = try NewFileStream(try file("a", in: folder, replaces: false))
      try stream.write(Array("one ".utf8))
      #expect(try folder.contents() == ["a.partial"])
      try stream.write(Array("two".utf8))
      try stream.publish()
      #expect(try folder.contents() == ["a"])
      #expect(try text("a", in: folder) == "one two")
    }
  }

  @Test func contentsThatAreNotPublishedAreGone() throws {
    try TemporaryDirectory.with { folder in
      try Data("old".utf8).write(to: folder.url("a"))
      do { try NewFileStream(try file("a", in: folder)).write(Array("new".utf8)) }
      #expect(try folder.contents() == ["a"])
      #expect(try text("a", in: folder) == "old")
      try file("a", in: folder).write("new")
      #expect(try text("a", in: folder) == "new")
    }
  }

  @Test func whatIsThereIsReplacedOnlyWhereThatIsAllowed() throws {
    try TemporaryDirectory.with { folder in
      try Data("old".utf8).write(to: folder.url("a"))
      try expectRefusal("a", .isThere, replaces: false, in: folder)
      let stream = try NewFileStream(try file("b", in: folder, replaces: false))
      try Data("of another process".utf8).write(to: folder.url("b"))
      #expect(throws: NewFileError.self) { try stream.publish() }
      #expect(try text("b", in: folder) == "of another process")
    }
  }

  @Test func readersAreThoseThatWereAskedFor() throws {
    try TemporaryDirectory.with { folder in
      try file("own", in: folder, readers: .owner).write("")
      try file("all", in: folder, readers: .everyone).write("")
      #expect(mode("own", in: folder) & 0o777 == 0o600)
      #expect(mode("all", in: folder) & 0o777 == 0o644)
    }
  }

  @Test func twoWritersOfAFileDoNotMixTheirContents() throws {
    try TemporaryDirectory.with { folder in
      let first = try NewFileStream(try file("a", in: folder))
      try first.write(Array("first".utf8))
      let error = #expect(throws: NewFileError.self) {
        try NewFileStream(
          NewFile(path: "a", at: folder.path("a"), replaces: true), waits: false)
      }
      #expect(error?.code == .isBeingWritten)
      try first.publish()
      #expect(try text("a", in: folder) == "first")
    }
  }

  @Test func whatAKilledProcessHasLeftIsRemoved() throws {
    try TemporaryDirectory.with { folder in
      try Data("half of a".utf8).write(to: folder.url("a.partial"))
      try file("a", in: folder).write("all")
      #expect(try folder.contents() == ["a"])
      #expect(try text("a", in: folder) == "all")
    }
  }

  @Test func whatIsNoFileIsNotRemovedToMakeRoomForTheContents() throws {
    try TemporaryDirectory.with { folder in
      try #require(mkfifo(folder.path("a.partial"), 0o600) == 0)
      try expectRefusal("a", .isObstructed, in: folder)
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("b.partial"), withDestinationPath: "a")
      try expectRefusal("b", .isObstructed, in: folder)
    }
  }

  // MARK: Links

  @Test func aLinkStaysAndItsTargetIsReplaced() throws {
    try TemporaryDirectory.with { folder in
      let files = FileManager.default
      try files.createDirectory(atPath: folder.path("there"), withIntermediateDirectories: false)
      try Data("old".utf8).write(to: folder.url("there/target"))
      try files.createSymbolicLink(
        atPath: folder.path("link"), withDestinationPath: "there/target")
      try expectRefusal("link", .isThere, replaces: false, in: folder)
      try file("link", in: folder).write("new")
      #expect(mode("link", in: folder) & S_IFMT == S_IFLNK)
      #expect(try text("there/target", in: folder) == "new")
      #expect(try folder.contents() == ["link", "there"])
    }
  }

  @Test func aLinkToNothingAndOneOfAnotherUserAreRefused() throws {
    try TemporaryDirectory.with { folder in
      let files = FileManager.default
      try files.createSymbolicLink(atPath: folder.path("dead"), withDestinationPath: "none")
      try files.createSymbolicLink(atPath: folder.path("round"), withDestinationPath: "round")
      try expectRefusal("dead", .isBrokenLink, in: folder)
      try expectRefusal("round", .isBrokenLink, in: folder)
      guard geteuid() == 0 else { return }
      try Data("old".utf8).write(to: folder.url("target"))
      try files.createSymbolicLink(atPath: folder.path("strange"), withDestinationPath: "target")
      try #require(lchown(folder.path("strange"), 65_534, 65_534) == 0)
      try expectRefusal("strange", .isLinkOfOthers, in: folder)
      #expect(try text("target", in: folder) == "old")
    }
  }

  // MARK: What is no file

  @Test func aFolderAndASocketAreRefused() throws {
    try TemporaryDirectory.with { folder in
      try FileManager.default.createDirectory(
        atPath: folder.path("folder"), withIntermediateDirectories: false)
      try expectRefusal("folder", .isFolder, in: folder)
      try #require(mknod(folder.path("socket"), S_IFSOCK | 0o600, 0) == 0)
      try expectRefusal("socket", .isNoFile, in: folder)
    }
  }

  @Test(arguments: [true, false]) func aFIFOGetsTheContentsAndStays(replaces: Bool) async throws {
    try await TemporaryDirectory.with { folder in
      let path = folder.path("fifo")
      try #require(mkfifo(path, 0o600) == 0)
      let length = 300_000
      async let read = onThread {
        try FileHandle(forReadingFrom: URL(filePath: path)).readToEnd() ?? Data()
      }
      async let written: Void = onThread {
        try NewFile(path: "fifo", at: path, replaces: replaces)
          .write(String(repeating: "x", count: length))
      }
      try await written
      #expect(try await read.count == length)
      #expect(mode("fifo", in: folder) & S_IFMT == S_IFIFO)
      #expect(try folder.contents() == ["fifo"])
    }
  }

  /// Waiting for the other end of a FIFO blocks, so it gets a thread of its own.
  private func onThread<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Swift.Result { try body() })
      }
    }
  }

  @Test func aDeviceGetsTheContentsAndStays() throws {
    try TemporaryDirectory.with { folder in
      let path = folder.path("node")
      // The numbers of /dev/null and /dev/full.
      guard mknod(path, S_IFCHR | 0o600, 0x103) == 0, access(path, W_OK) == 0,
        mknod(folder.path("full"), S_IFCHR | 0o600, 0x107) == 0
      else {
        print("skipped: this user may not make devices")
        return
      }
      guard let node = fopen(path, "w") else {
        print("skipped: this volume has no devices")
        return
      }
      fclose(node)
      try file("node", in: folder).write("any")
      let error = #expect(throws: NewFileError.self) {
        try file("full", in: folder).write("any")
      }
      #expect(error?.systemError == ENOSPC)
      #expect(mode("node", in: folder) & S_IFMT == S_IFCHR)
      #expect(mode("full", in: folder) & S_IFMT == S_IFCHR)
      #expect(try folder.contents() == ["full", "node"])
    }
  }

  @Test func aFileThatBecomesSomethingElseIsNotReplaced() throws {
    try TemporaryDirectory.with { folder in
      let stream = try NewFileStream(try file("a", in: folder))
      try #require(mkfifo(folder.path("a"), 0o600) == 0)
      let error = #expect(throws: NewFileError.self) { try stream.publish() }
      #expect(error?.code == .isNoFile)
      #expect(mode("a", in: folder) & S_IFMT == S_IFIFO)
    }
  }
}
