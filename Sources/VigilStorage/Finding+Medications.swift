extension Finding {
  /// The finding about medications whose person is not in `users`.
  public static func onMedicationsOfUnknownPersons(_ count: Int) -> Finding {
    Finding(
      check: "medications", status: .warning,
      detail: count == 1
        ? "1 row has a person that is not in users: no run reads its doses"
        : "\(count) rows have persons that are not in users: no run reads their doses",
      remedy: .advice(
        "add these persons to users:"
          + " SELECT DISTINCT user_id FROM medications WHERE user_id NOT IN (SELECT id FROM users)")
    )
  }
}
