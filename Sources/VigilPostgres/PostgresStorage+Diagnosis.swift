public import VigilStorage

extension PostgresStorage {
  public func diagnose() -> [Finding] { [] }
}
