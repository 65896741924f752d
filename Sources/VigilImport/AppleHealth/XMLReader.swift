import CExpat
import Foundation

/// Reads XML element by element in constant memory.
///
/// Entities that the file declares itself are refused: a few lines of them can stand for gigabytes of text.
final class XMLReader {
  /// The attributes of an element, valid during the call alone.
  struct Attributes {
    fileprivate let list: UnsafeMutablePointer<UnsafePointer<CChar>?>

    subscript(name: StaticString) -> UnsafePointer<CChar>? {
      var cursor = list
      while let key = cursor[0] {
        if key.equals(name) { return cursor[1] }
        cursor += 2
      }
      return nil
    }
  }

  private let source: any ByteSource
  private let parser: XML_Parser
  private let startElement: (UnsafePointer<CChar>, Attributes) throws -> Void
  private let endElement: (UnsafePointer<CChar>) -> Void
  private var failure: (any Error)?
  private var depth = 0
  private static let chunkSize: Int32 = 1 << 18
  /// Bytes of a tag with its attributes, or of another piece that is not text; the parser reads what is not complete
  /// again with each chunk.
  private static let longestTag = 1 << 20
  /// Elements in one another, each of which takes memory until its end.
  private static let mostLevels = 100

  /// - Parameters:
  ///   - source: The file.
  ///   - startElement: Called with name and attributes of each element.
  ///   - endElement: Called with the name of each element that ends.
  /// - Throws: `ImportError` where memory is short.
  init(
    _ source: any ByteSource,
    startElement: @escaping (UnsafePointer<CChar>, Attributes) throws -> Void,
    endElement: @escaping (UnsafePointer<CChar>) -> Void
  ) throws {
    self.source = source
    self.startElement = startElement
    self.endElement = endElement
    guard let parser = XML_ParserCreate(nil) else {
      throw ImportError(
        .badData, "\(fileName(source.path)): there is no memory to read it; nothing was imported")
    }
    self.parser = parser
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetStartElementHandler(parser) { context, name, attributes in
      guard let context, let name, let attributes else { return }
      let reader = Unmanaged<XMLReader>.fromOpaque(context).takeUnretainedValue()
      guard reader.failure == nil else { return }
      reader.depth += 1
      guard reader.depth <= XMLReader.mostLevels else {
        return reader.stop(
          reader.refusal("elements are more than \(XMLReader.mostLevels) levels deep"))
      }
      do {
        try reader.startElement(name, Attributes(list: attributes))
      } catch {
        reader.stop(error)
      }
    }
    XML_SetEndElementHandler(parser) { context, name in
      guard let context, let name else { return }
      let reader = Unmanaged<XMLReader>.fromOpaque(context).takeUnretainedValue()
      reader.depth -= 1
      if reader.failure == nil { reader.endElement(name) }
    }
    XML_SetEntityDeclHandler(parser) { context, _, _, _, _, _, _, _, _ in
      guard let context else { return }
      let reader = Unmanaged<XMLReader>.fromOpaque(context).takeUnretainedValue()
      reader.stop(reader.refusal("the file declares entities, which no export needs"))
    }
  }

  deinit {
    XML_ParserFree(parser)
  }

  /// The line that is being read; the first is 1.
  var line: Int { Int(XML_GetCurrentLineNumber(parser)) }

  private func stop(_ error: any Error) {
    if failure == nil { failure = error }
    XML_StopParser(parser, XML_Bool(XML_FALSE))
  }

  /// Reads the whole file.
  ///
  /// - Throws: What `startElement` throws; `ImportError` where the file cannot be read, is no XML or ends
  ///   too early.
  func read() throws {
    var bytesRead = 0
    while true {
      guard let buffer = XML_GetBuffer(parser, Self.chunkSize) else {
        throw refusal("there is no memory to read it")
      }
      let count = try source.read(
        into: UnsafeMutableRawBufferPointer(start: buffer, count: Int(Self.chunkSize)))
      let status = XML_ParseBuffer(parser, Int32(count), count == 0 ? 1 : 0)
      if let failure { throw failure }
      guard status == XML_STATUS_OK else { throw malformation(isAtEnd: count == 0) }
      if count == 0 { return }
      bytesRead += count
      // The buffer holds a whole tag, of which a damaged file may never have the end.
      guard bytesRead - Int(XML_GetCurrentByteIndex(parser)) <= Self.longestTag else {
        throw refusal("a tag is longer than \(Self.longestTag >> 20) MiB")
      }
    }
  }

  private func refusal(_ fault: String) -> ImportError {
    ImportError(
      .badData, "\(fileName(source.path)):\(line): \(fault); nothing was imported")
  }

  private func malformation(isAtEnd: Bool) -> ImportError {
    let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? ""
    let fault = isAtEnd ? "the file ends too early" : "the file is not XML"
    return ImportError(
      .badData,
      "\(fileName(source.path)):\(line): \(fault) (\(reason)); nothing was imported; copy it again")
  }
}

extension UnsafePointer<CChar> {
  @inline(__always)
  func equals(_ text: StaticString) -> Bool {
    // Most texts differ in the first byte.
    let start = UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
    return self[0] == start[0] && strncmp(self, start, text.utf8CodeUnitCount + 1) == 0
  }

  /// The text behind `prefix`; nil where the text begins otherwise.
  func dropping(_ prefix: StaticString) -> UnsafePointer<CChar>? {
    let length = prefix.utf8CodeUnitCount
    let start = UnsafeRawPointer(prefix.utf8Start).assumingMemoryBound(to: CChar.self)
    return strncmp(self, start, length) == 0 ? self + length : nil
  }
}
