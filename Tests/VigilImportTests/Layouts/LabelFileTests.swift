import Testing
import VigilImport
import VigilModel

@Suite struct LabelFileTests {
  private func read(_ text: String) throws -> LabelFile {
    let folder = try TemporaryFolder()
    return try LabelFile(path: try folder.write(text, to: "labels.csv"))
  }

  @Test func theShortNamesAreReadLikeTheLongOnes() throws {
    let long = try read(
      "metric_type,user_id,first_day,last_day,note\nsteps,anna,2026-05-01,2026-05-04,\"ill, in bed\"\n"
    )
    let short = try read("person,first,last,metric\nanna,2026-05-01,2026-05-04,steps\n")
    #expect(long.rows == short.rows)
    #expect(long.rows.first?.metric == MetricType("steps"))
  }

  @Test(arguments: [
    "person,first,last\nanna,2026-05-01,2026-05-01\n",
    "person,first,last,metric\nanna,2026-05-01,2026-05-01,\n",
  ])
  func withoutMetricALabelIsAboutAny(text: String) throws {
    let rows = try read(text).rows
    #expect(rows.count == 1)
    #expect(rows.first?.metric == nil)
    #expect(rows.first?.days.count == 1)
  }

  @Test func aFileWithoutRowsHasNoLabels() throws {
    #expect(try read("user_id,first_day,last_day\n").rows.isEmpty)
  }

  @Test func allRowsThatCannotBeUsedAreNamed() throws {
    do {
      _ = try read(
        "person,first,last\n,2026-05-01,2026-05-02\nanna,may,2026-05-02\nben,2026-05-01\n")
      Issue.record("unusable rows were taken")
    } catch let error as ImportError {
      #expect(error.code == .badData)
      #expect(error.problems.count == 3)
      #expect(error.problems[1] == "labels.csv:3: first_day: not a date (YYYY-MM-DD)")
      #expect(!"\(error)".contains("anna"))
    }
  }
}
