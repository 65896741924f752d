import VigilModel

/// The contacts outside of a family.
extension RowCheck {
  /// A refusal holds no address.
  func contact(_ row: Row) throws(RowProblem) {
    let address = row.text("address") ?? ""
    let channel = row.text("channel").flatMap(PlannedNotification.Channel.init(rawValue:))
    if channel?.isTelephone == true {
      let isNumber = address.wholeMatch(of: /\+[1-9][0-9]{6,14}/) != nil
      try require(isNumber, "address", "not a telephone number such as +34600000000")
    } else {
      let isMail = address.wholeMatch(of: /[^@\s]+@[^@\s]+/) != nil
      try require(isMail, "address", "not an e-mail address")
    }
    for column in ["opted_in_at", "revoked_at"] {
      try require(row.time(column) ?? now <= now, column, "in the future")
    }
  }
}
