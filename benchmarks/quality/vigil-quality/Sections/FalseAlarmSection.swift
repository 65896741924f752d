import VigilLaboratory

/// False episodes and notifications of each profile, where nothing changes.
struct FalseAlarmSection {
  let laboratory: Laboratory
  let quiet: Corpus

  func measure() async -> (section: Section, subject: QuietStudy) {
    var studies: [QuietStudy] = []
    for profile in laboratory.profiles {
      studies.append(await QuietStudy(quiet, detector: profile))
    }
    let subject = studies[studies.count - 1]
    var section = Section()
    section.tables["false-episodes"] = table(studies) { $0.rate($1).text(2) }
    section.tables["false-notifications"] = table(studies) { $0.notificationRate($1).text(2) }
    var detail = MarkdownTable([
      "\(laboratory.subject.name)", "first 120 days", "per 365 observations", "dispersion",
    ])
    for (name, tally) in rows(of: subject) {
      detail.add([
        name, subject.earlyRate(tally).text(2), subject.observedRate(tally).text(3),
        tally.dispersion.text(2),
      ])
    }
    section.tables["false-detail"] = detail.text
    return (section, subject)
  }

  private func rows(of study: QuietStudy) -> [(String, QuietStudy.Tally)] {
    Array(zip(laboratory.metrics, study.metrics)) + [("**together**", study.total)]
  }

  private func table(
    _ studies: [QuietStudy], _ cell: (QuietStudy, QuietStudy.Tally) -> String
  ) -> String {
    var table = MarkdownTable(["metric"] + laboratory.profiles.map(\.name))
    for row in 0...laboratory.metrics.count {
      table.add(
        [rows(of: studies[0])[row].0] + studies.map { cell($0, rows(of: $0)[row].1) })
    }
    return table.text
  }
}
