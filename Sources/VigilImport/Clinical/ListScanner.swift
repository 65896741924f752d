/// Takes the elements of a list out of a document of JSON while its bytes come in, so that a document of any size is read
/// in the memory of its largest element.
///
/// The list is the document itself, or the member `entry` of an object, which a Bundle of FHIR has. A document without
/// either stays whole.
struct ListScanner {
  /// A fault by which the bytes are no document that can be read.
  enum Fault: Error {
    /// Something stands between the elements of the list that does not belong there.
    case malformed
    /// An element, or all that is beside the list, has more bytes than the limit.
    case tooLong
  }

  private enum Place {
    case outsideOfList
    case atStartOfList
    case behindComma
    case behindElement
    case inElement
  }

  /// The document without the elements of its list.
  private(set) var rest: [UInt8] = []
  /// Whether a list was found.
  private(set) var hasList = false
  private var isListOfMember = false
  /// Objects and lists around the present byte, without those of an element.
  private(set) var depth = 0

  private let limit: Int
  private var place = Place.outsideOfList
  private var element: [UInt8] = []
  private var depthInElement = 0
  private var isInString = false
  private var isEscaped = false
  /// Whether the next text of the outermost object names a member.
  private var expectsName = false
  /// The place in `rest` where the name of a member begins.
  private var nameStart: Int?
  /// Whether the value that comes next is that of `entry`.
  private var isEntry = false

  /// - Parameter limit: Bytes of an element, and of all that is beside the list.
  init(limit: Int) { self.limit = limit }

  /// Whether the document ends neither in an element nor in a text.
  var isComplete: Bool {
    if case .outsideOfList = place { !isInString && depth == 0 } else { false }
  }

  /// Takes bytes that follow the ones before.
  ///
  /// - Parameter body: Called with each element that is complete, and whether its list is a member of an object.
  /// - Throws: `Fault`, and what `body` throws.
  mutating func take(
    _ bytes: some Sequence<UInt8>, _ body: (_ element: [UInt8], _ isOfMember: Bool) throws -> Void
  ) throws {
    for byte in bytes {
      switch place {
      case .outsideOfList: try takeOutside(byte)
      case .inElement: try takeInside(byte, body)
      case .atStartOfList, .behindComma, .behindElement: try takeBetween(byte)
      }
    }
  }

  /// Takes a byte of a text; false where it is none.
  private mutating func takeInString(_ byte: UInt8) -> Bool {
    guard isInString else { return false }
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
    }
    return true
  }

  private mutating func takeOutside(_ byte: UInt8) throws {
    rest.append(byte)
    guard rest.count <= limit else { throw Fault.tooLong }
    if takeInString(byte) {
      if !isInString, let start = nameStart {
        isEntry = rest[start..<rest.count - 1].elementsEqual("entry".utf8)
        nameStart = nil
      }
      return
    }
    switch byte {
    case UInt8(ascii: "\""):
      isInString = true
      isEntry = false
      if expectsName, depth == 1 {
        expectsName = false
        nameStart = rest.count
      }
    case UInt8(ascii: "{"):
      depth += 1
      isEntry = false
      if depth == 1 { expectsName = true }
    case UInt8(ascii: "["):
      if depth == 0 || (depth == 1 && isEntry) {
        hasList = true
        isListOfMember = depth == 1
        place = .atStartOfList
      } else {
        depth += 1
      }
      isEntry = false
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
    case UInt8(ascii: ","):
      if depth == 1 { expectsName = true }
    case UInt8(ascii: ":"), 0...0x20:
      break
    default:
      isEntry = false
    }
  }

  private mutating func takeBetween(_ byte: UInt8) throws {
    switch (byte, place) {
    case (0...0x20, _): break
    case (UInt8(ascii: "]"), .atStartOfList), (UInt8(ascii: "]"), .behindElement):
      rest.append(byte)
      place = .outsideOfList
    case (UInt8(ascii: ","), .behindElement):
      place = .behindComma
    case (UInt8(ascii: ","), _), (UInt8(ascii: "]"), _), (_, .behindElement):
      throw Fault.malformed
    default:
      place = .inElement
      try takeInside(byte) { _, _ in }
    }
  }

  private mutating func takeInside(
    _ byte: UInt8, _ body: (_ element: [UInt8], _ isOfMember: Bool) throws -> Void
  ) throws {
    if takeInString(byte) {
      element.append(byte)
    } else {
      switch byte {
      case UInt8(ascii: ",") where depthInElement == 0, UInt8(ascii: "]") where depthInElement == 0:
        // The end of a number or a word.
        try end(body)
        return try takeBetween(byte)
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depthInElement += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depthInElement -= 1
        guard depthInElement >= 0 else { throw Fault.malformed }
        element.append(byte)
        if depthInElement == 0 { try end(body) }
        return
      default: break
      }
      element.append(byte)
    }
    guard element.count <= limit else { throw Fault.tooLong }
  }

  private mutating func end(_ body: (_ element: [UInt8], _ isOfMember: Bool) throws -> Void) throws
  {
    place = .behindElement
    try body(element, isListOfMember)
    element.removeAll(keepingCapacity: true)
  }
}
