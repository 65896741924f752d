/// Values with a number each, by the names that stand for them.
struct NumberedNames<Value: Hashable> {
  private var numbers: [String: UInt32] = [:]
  private var numbersOfValues: [Value: UInt32] = [:]
  private var values: [Value] = []

  /// The number of a name that was added.
  func number(named name: String) -> UInt32? { numbers[name] }

  /// The number of a name, a new one where neither it nor its value was there before.
  mutating func number(named name: String, adding value: Value) -> UInt32 {
    if let known = numbers[name] { return known }
    let number = numbersOfValues[value] ?? UInt32(values.count)
    if number == values.count {
      values.append(value)
      numbersOfValues[value] = number
    }
    numbers[name] = number
    return number
  }

  subscript(number: UInt32) -> Value { values[Int(number)] }
}
