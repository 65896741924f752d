import VigilAdherence
import VigilModel

extension AdherenceReport {
  public func encode(to encoder: any Encoder) throws {
    let fields: JSONFields = [
      "period": period.rawValue,
      "definitions": Self.definitions.map(\.fields),
      "rows": rows.map {
        ExportColumns.adherence.fields(
          of: Exported($0, externalIDs), without: ["id", "period_kind"])
      },
    ]
    try fields.encode(to: encoder)
  }
}
