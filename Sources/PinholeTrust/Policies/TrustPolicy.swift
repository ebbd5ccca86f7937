package import PinholeModel

/// Judges evidence as one mechanism does, with that mechanism's settings, order of checks and faults.
///
/// A policy is a plain value; it reads no clock, file or socket.
package protocol TrustPolicy: Sendable {
    /// The mechanism by its name in policy documents: `afnetworking`, `okhttp` …
    var mechanism: String { get }

    /// Judges.
    ///
    /// - Parameters:
    ///   - evidence: The facts.
    ///   - evaluator: Builds and verifies paths.
    /// - Returns: The verdict with the checks that led to it.
    func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement

    /// Why a host may not be asked over plain http, in a sentence; `nil` where the mechanism permits it, or has
    /// nothing to say.
    func refusalOfCleartext(to host: Host) -> String?
}

extension TrustPolicy {
    /// Most mechanisms look at certificates alone.
    package func refusalOfCleartext(to host: Host) -> String? { nil }
}
