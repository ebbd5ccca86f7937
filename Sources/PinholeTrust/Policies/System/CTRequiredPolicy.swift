/// Default handling that also wants signed certificate timestamps (RFC 6962) of several logs.
///
/// A mechanism of our own, in the manner of the browsers' policies. It counts claims: signatures are not verified
/// and logs not known, so it shows what an app that wants them would miss, and keeps no liar out.
package struct CTRequiredPolicy: TrustPolicy, Hashable {
    /// From how many different logs timestamps have to come.
    package var logs: Int

    /// `ct-required`.
    package var mechanism: String { "ct-required" }

    /// Creates it.
    package init(logs: Int = 2) { self.logs = logs }

    /// Asks for a path from the device's anchors, then counts the logs.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var judgement = JudgementBuilder()
        if let rejection = judgement.requireSystemTrust(evidence, evaluator) { return rejection }
        let name = "certificate timestamps"
        let collection = TimestampCollection(evidence)
        let count = collection.logs(until: evidence.time).count
        var found =
            "\(ChainText.count(collection.entries.count, "timestamp")) of \(ChainText.count(count, "log"))"
        for source in collection.malformed { found += ", a list that cannot be read (\(source.rawValue))" }
        guard count >= logs else {
            return judgement.reject(
                name,
                .notLogged,
                "expected signed certificate timestamps of \(ChainText.count(logs, "log")), found \(found)"
            )
        }
        judgement.pass(name, "\(found); their signatures are not verified")
        return judgement.trust()
    }
}
