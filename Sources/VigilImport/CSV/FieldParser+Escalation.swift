/// The fields of the tables that say who is called upon. A refusal holds no address.
extension FieldParser {
  func priority(_ bytes: Bytes) throws(Refusal) -> Int64 {
    guard let number = Int64(String(decoding: bytes, as: UTF8.self)), (1...1000).contains(number)
    else { throw Refusal("not a priority from 1, which is called first, to 1000") }
    return number
  }

  /// One line, which a provider is given as it is.
  func address(_ bytes: Bytes) throws(Refusal) -> String {
    let text = try text(bytes)
    guard text.unicodeScalars.count <= 320 else { throw Refusal("longer than 320 characters") }
    guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw Refusal("holds a control character")
    }
    return text
  }

  func language(_ bytes: Bytes) throws(Refusal) -> String {
    let text = try text(bytes)
    guard text.wholeMatch(of: /[a-z]{2,3}(-[A-Za-z0-9]{2,8})*/) != nil else {
      throw Refusal("not a language such as en or pt-BR")
    }
    return text
  }
}
