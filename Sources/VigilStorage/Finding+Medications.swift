extension Finding {
  /// What `vigil doctor` says of medications whose person is not in `users`.
  public static func onMedicationsOfNobody(_ count: Int) -> Finding {
    Finding(
      check: "medications", status: .warning,
      detail: count == 1
        ? "1 row is of nobody in users: no run looks at its doses"
        : "\(count) rows are of nobody in users: no run looks at their doses",
      remedy: "add these persons to users:"
        + " SELECT DISTINCT user_id FROM medications WHERE user_id NOT IN (SELECT id FROM users)")
  }
}
