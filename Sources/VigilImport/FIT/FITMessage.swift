/// A data message of a FIT file: numbers of fields with their values.
struct FITMessage {
  /// A field as the definition before the messages describes it.
  struct Field {
    var number: UInt8
    /// Bytes of all its values.
    var size: Int
    /// Nil for a type that is not known.
    var type: FITBaseType?
    /// Bytes of the message before the field.
    var start: Int
  }

  /// The layout of the messages that follow it.
  struct Definition {
    /// The kind of message in the profile.
    var number: UInt16
    var isBigEndian: Bool
    var fields: [Field]
    /// Bytes of a message, fields of developers included.
    var size: Int
  }

  /// The field with the time in all kinds of messages.
  static let timeField: UInt8 = 253

  let definition: Definition
  /// The number of the message in the file; the first is 1.
  let position: Int
  /// Seconds since the end of 1989 in UTC, as the message or its header says; nil where neither does.
  private(set) var time: UInt32?
  private let bytes: ArraySlice<UInt8>

  init(
    _ definition: Definition, position: Int, time: UInt32?, bytes: ArraySlice<UInt8>
  ) {
    self.definition = definition
    self.position = position
    self.bytes = bytes
    self.time = time
    if let own = value(Self.timeField) { self.time = UInt32(exactly: own) }
  }

  /// The kind of message in the profile.
  var number: UInt16 { definition.number }

  /// The first value of a field; nil where the message does not have the field, or no value of it.
  func value(_ field: UInt8) -> Double? {
    guard let field = definition.fields.first(where: { $0.number == field }), let type = field.type,
      field.size >= type.size, field.size % type.size == 0
    else { return nil }
    var bits: UInt64 = 0
    for index in 0..<type.size {
      let place = definition.isBigEndian ? index : type.size - 1 - index
      bits = bits << 8 | UInt64(bytes[bytes.startIndex + field.start + place])
    }
    return type.value(bits)
  }
}
