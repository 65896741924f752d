import VigilModel

extension AlertsReport {
  private struct Document: Encodable {
    var alerts: [Row]
    /// Persons without data, who have an active alert of silence.
    var noData: [SilenceDocument]
    /// The number of persons who have left; null where that is not known.
    var left: OrNull<Int>
    var shown: Int
    var total: Int
  }

  /// Names are those of the columns of `pattern_alert_state`.
  struct Row: Encodable {
    var id: String
    var profile: String
    /// The sentence about it; no column.
    var sentence: String
    var userId: String
    var externalId: OrNull<String>
    /// Null for an alert about the person.
    var medicationId: OrNull<String>
    var metricType: MetricType
    var patternType: PatternType
    var eventId: String
    var episodeStatus: String
    /// Whether no night has confirmed it yet; no column of the table, and missing in an explanation
    /// and in an answer.
    var provisional: Bool?
    var activeSince: Day
    var lastEvaluatedDate: Day
    var consecutiveTrueDays: Int
    var currentLevel: AlertLevel
    var severity: Severity
    var lastNotifiedLevel: OrNull<AlertLevel>
    var lastNotifiedAt: OrNull<Timestamp>
    var shadowNotifiedLevel: OrNull<AlertLevel>
    var snoozeUntil: OrNull<Day>
    var dismissedAt: OrNull<Timestamp>
    var acknowledgedAt: OrNull<Timestamp>
    var acknowledgedBy: OrNull<String>
    var baselineStart: Day
    var baselineEnd: Day
    var baselineDays: Int
    var baselineValue: Double
    var recentStart: Day
    var recentEnd: Day
    var recentValue: Double
    /// A fraction, as in the column.
    var deviationFraction: OrNull<Double>
    /// Null for an alert whose profile compares means.
    var evidence: OrNull<EvidenceDocument>
    /// Missing for an alert of one metric.
    var combined: CombinedDocument?
    /// The counts of an alert of missed doses; without the key for others.
    var doses: DoseEvidenceDocument?
    var unit: OrNull<String>
    var resolvedOn: OrNull<Day>
    var resolutionReason: OrNull<Episode.Resolution.Reason>
    /// These come from the present input, and are therefore no columns.
    var worstDeviationFraction: OrNull<Double>
    var worstOn: OrNull<Day>
    /// The metric of the alert, or the one of several.
    var worstMetricType: OrNull<MetricType>
    var waitsFor: OrNull<String>
    var waitsSince: OrNull<Day>
    var cleanDays: OrNull<Int>
    var cleanDaysNeeded: OrNull<Int>
    var thresholdsVersion: String
    var thresholdsDigest: String
    var runId: String
    var computedAt: Timestamp
    var createdAt: Timestamp
    var updatedAt: Timestamp

    init(
      _ alert: PatternAlertState, isProvisional: Bool? = nil, externalID: String?,
      course: EpisodeCourse?, limits: AlertLimits
    ) {
      let episode = alert.episode
      let (baseline, recent) = (episode.figures.baseline, episode.figures.recent)
      id = alert.id.lowercased
      profile = alert.profile.id
      sentence = alert.sentence(limits)
      userId = alert.series.user.lowercased
      externalId = OrNull(externalID)
      medicationId = OrNull(alert.series.medication?.lowercased)
      metricType = alert.series.metric
      patternType = alert.series.pattern
      eventId = alert.eventID.lowercased
      episodeStatus = episode.isActive ? "active" : "resolved"
      provisional = isProvisional
      activeSince = episode.activeSince
      lastEvaluatedDate = episode.lastEvaluated
      consecutiveTrueDays = episode.duration
      currentLevel = episode.level
      severity = alert.severity
      lastNotifiedLevel = OrNull(alert.lastNotifiedLevel)
      lastNotifiedAt = OrNull(alert.lastNotifiedAt)
      shadowNotifiedLevel = OrNull(alert.shadowNotifiedLevel)
      snoozeUntil = OrNull(alert.snoozeUntil)
      dismissedAt = OrNull(alert.dismissedAt)
      acknowledgedAt = OrNull(alert.acknowledgedAt)
      acknowledgedBy = OrNull(alert.acknowledgedBy?.lowercased)
      baselineStart = baseline.start
      baselineEnd = baseline.end
      baselineDays = baseline.count
      baselineValue = baseline.value
      recentStart = recent.start
      recentEnd = recent.end
      recentValue = recent.value
      deviationFraction = OrNull(episode.figures.deviation)
      evidence = OrNull(episode.evidence.map(EvidenceDocument.init))
      combined = episode.combined.map(CombinedDocument.init)
      doses = episode.doses.map(DoseEvidenceDocument.init)
      let unit = alert.series.metric.unit
      self.unit = OrNull(unit.isEmpty ? nil : unit)
      resolvedOn = OrNull(episode.resolution?.day)
      resolutionReason = OrNull(episode.resolution?.reason)
      worstDeviationFraction = OrNull(course?.worst?.deviation)
      worstOn = OrNull(course?.worst?.day)
      worstMetricType = OrNull(course?.worst.map { $0.metric ?? alert.series.metric })
      waitsFor = OrNull(course?.wait?.name)
      waitsSince = OrNull(course?.wait?.since)
      cleanDays = OrNull(course?.wait?.cleanDays?.seen)
      cleanDaysNeeded = OrNull(course?.wait?.cleanDays?.needed)
      thresholdsVersion = alert.profile.version
      thresholdsDigest = alert.profile.digest
      runId = alert.runID.lowercased
      computedAt = alert.computedAt
      createdAt = alert.createdAt
      updatedAt = alert.updatedAt
    }
  }

  public func encode(to encoder: any Encoder) throws {
    let rows = alerts.map {
      Row(
        $0, isProvisional: provisional.contains($0.id), externalID: externalIDs[$0.series.user],
        course: courses[$0.id], limits: limits)
    }
    try Document(
      alerts: rows,
      noData: silences.map { SilenceDocument($0, externalID: externalIDs[$0.series.user]) },
      left: OrNull(left), shown: alerts.count, total: total
    ).encode(to: encoder)
  }
}
