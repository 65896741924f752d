import VigilLaboratory

/// False episodes where people change their device.
struct DeviceSection {
  let laboratory: Laboratory

  func measure() async -> Section {
    var table = MarkdownTable(
      ["people"] + laboratory.profiles.map { "\($0.name), false episodes" })
    var named = SimulationConditions()
    named.deviceChangesPerYear = 0.5
    var unnamed = named
    unnamed.devicesAreNamed = false
    for (name, conditions) in [
      ("the same device", SimulationConditions()), ("new devices, rows name them", named),
      ("new devices, rows do not name them", unnamed),
    ] {
      laboratory.report("people with \(name)")
      let quiet = await laboratory.quiet(conditions, people: laboratory.people / 2)
      var row = [name]
      for profile in laboratory.profiles {
        let study = await QuietStudy(quiet, detector: profile)
        row.append(study.rate(study.total).text(2))
      }
      table.add(row)
    }
    return Section(tables: ["devices": table.text])
  }
}
