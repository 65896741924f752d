extension ReferenceCombined {
  /// Section 5: the episode as it stands at the end of `last`, from its opening on.
  func replay(_ opened: Episode, through last: Int, workouts: Set<Int>) -> Episode {
    var episode = opened
    episode.duration = opened.openedOn - opened.activeSince + 1
    episode.level = ReferenceEvidence.level(duration: episode.duration)
    episode.levelDays = [episode.level: opened.openedOn]
    let kappa = kappa(opened)
    var (H, calm, without) = (0.0, 0, 0)
    let windowStart = opened.openedOn - opened.window + 1
    let before = (windowStart...opened.openedOn).compactMap { badness(of: opened, on: $0) }
    var r = Array(before.suffix(3))
    while r.count < 3 { r.insert(r[0], at: 0) }

    func resolve(_ day: Int, _ reason: String) -> Episode {
      episode.resolvedOn = day
      episode.reason = reason
      return episode
    }
    for today in opened.openedOn...last where today > opened.openedOn {
      let isOther = opened.contributions.contains { contribution in
        members[contribution.member].deviceChanges(on: today).contains { $0.recognised == today }
      }
      if isOther { return resolve(today, "recalibrated") }
      guard let worse = badness(of: opened, on: today) else {
        without += 1
        if without == 14 { return resolve(today, "no_data") }
        continue
      }
      without = 0
      let duration = today - opened.activeSince + 1
      if duration > 60 { return resolve(today, "rebased") }
      var (jump, back) = (0.0, 0.0)
      for contribution in opened.contributions {
        let (twin, series) = (
          members[contribution.member].twin, members[contribution.member].series
        )
        guard let index = series.firstIndex(where: { $0.day == today }) else { continue }
        let anchor = contribution.baseline
        let A = shift(contribution)
        let (p, q) = twin.memory(anchor, gap: today - series[index - 1].day)
        let v =
          (twin.badness(series[index], anchor) - p * twin.badness(series[index - 1], anchor)) / q
        let stay = A * (1 - p) / q
        let sudden = v + p * A / q
        let scale = 2 * anchor.noise * anchor.noise
        jump += ((v - stay) * (v - stay) - sudden * sudden) / scale
        back += ((v - stay) * (v - stay) - v * v) / scale
      }
      H = max(0, jump / kappa, H > 0 ? H + back / kappa : 0)
      r.append(worse)
      let isEasing = ReferenceEvidence.mean(Array(r.suffix(3))) < 0.5 - 1e-9
      calm = isEasing ? calm + 1 : 0
      if isEasing {
        if H >= 3.5 || calm >= 7 { return resolve(today, "recovered") }
      } else if !isSuppressed(opened, on: today, workouts) {
        episode.duration = duration
        let level = ReferenceEvidence.level(duration: duration)
        if level > episode.level {
          episode.level = level
          episode.levelDays[level] = today
        }
      }
    }
    return episode
  }

  /// r of a day: 1 as bad as at the opening, 0 as usual; nil without a value.
  private func badness(of episode: Episode, on day: Int) -> Double? {
    var (sum, expected) = (0.0, 0.0)
    for contribution in episode.contributions {
      let member = members[contribution.member]
      guard let observation = member.series.first(where: { $0.day == day }) else { continue }
      sum += member.twin.badness(observation, contribution.baseline)
      expected += shift(contribution)
    }
    return expected == 0 ? nil : sum / expected
  }

  /// `A_i`.
  private func shift(_ contribution: Contribution) -> Double {
    ReferenceEvidence.clamp(contribution.shift, 0.5, 1.25)
  }
}

extension ReferenceEvidence.Rule {
  /// The rule with half its bound; nil where it has no weak form.
  var weak: ReferenceEvidence.Rule? {
    switch self {
    case .percentDropAtLeast(let bound): .percentDropAtLeast(bound / 2)
    case .percentRiseAtLeast(let bound): .percentRiseAtLeast(bound / 2)
    case .absoluteDropAtLeast(let bound): .absoluteDropAtLeast(bound / 2)
    case .absoluteRiseAtLeast(let bound): .absoluteRiseAtLeast(bound / 2)
    case .absoluteDropBelow: nil
    }
  }
}
