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

    /// The error by which an app learns of a refusal; `nil` if the client is URLSession.
    ///
    /// - Parameters:
    ///   - cause: The reason of the refusal.
    ///   - host: The host of the request.
    /// - Returns: The error in the words of the mechanism's own client.
    func error(for cause: RefusalCause, at host: Host) -> ReportedError?
}

extension TrustPolicy {
    /// Most mechanisms look at certificates alone.
    package func refusalOfCleartext(to host: Host) -> String? { nil }

    /// The errors of URLSession.
    package func error(for cause: RefusalCause, at host: Host) -> ReportedError? { nil }
}
