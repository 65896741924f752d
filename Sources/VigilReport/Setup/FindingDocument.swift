import VigilStorage

/// A finding as JSON, with its remedy in words.
struct FindingDocument: Encodable {
  var check: String
  var status: Finding.Status
  var detail: String
  var remedy: OrNull<String>

  init(_ finding: Finding) {
    check = finding.check
    status = finding.status
    detail = finding.detail
    remedy = OrNull(finding.remedy?.wording)
  }
}
