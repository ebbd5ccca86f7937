package import PinholeModel

/// A mechanism that judges servers, with its settings, its order of checks and its faults.
///
/// A policy is a plain value; it reads no clock, file or socket. Only ``mechanism`` and ``judge(_:with:)`` are
/// required. A mechanism with pins also gives its ``pinLists``; the lint, the lab and reports need nothing more.
package protocol TrustPolicy: Sendable {
    /// The mechanism by its name in policy documents: `afnetworking`, `okhttp` …
    var mechanism: String { get }

    /// Whether the delegate of an app makes these checks; otherwise the client's default handling does.
    var isForDelegates: Bool { get }

    /// The rules by which the client of the mechanism builds and checks paths.
    ///
    /// ``Evidence/verifier`` replaces them.
    var verifier: VerifierProfile { get }

    /// Judges a server.
    ///
    /// - Parameters:
    ///   - evidence: The facts.
    ///   - evaluator: Builds and verifies paths.
    /// - Returns: The verdict with the checks that led to it.
    func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement

    /// The lists of pins, in the order of the settings; empty if the mechanism has none.
    ///
    /// A writer changes only the values of the lists that it has read, and keeps their number and order. The policy
    /// keeps a pin whose new value is in a notation that the mechanism does not have.
    var pinLists: [PinList] { get set }

    /// The hosts that the settings name, in their order; empty if the policy is for every host.
    var scopes: [HostScope] { get }

    /// The hosts that the settings name only to exempt them from demands other than pins.
    var exemptions: [HostScope] { get }

    /// The faults of the settings, apart from what a lint finds in the ``pinLists``.
    ///
    /// - Parameter lint: The lint, with the time, the hosts and the server's chain.
    /// - Returns: The findings.
    func findings(in lint: PolicyLint) -> [LintFinding]

    /// The checks that each sound setting of the mechanism makes, by which the lab grades scenarios.
    ///
    /// - Parameters:
    ///   - authority: The server that the policy is for.
    ///   - chosen: The verifier that the user chose; `nil` for that of the mechanism.
    /// - Returns: The checks of each setting.
    func soundSettings(for authority: Authority, by chosen: VerifierProfile?) -> [Safeguards]

    /// The policy after a visit to a server that it does not know yet; itself if the mechanism remembers nothing.
    ///
    /// - Parameters:
    ///   - key: The server's SubjectPublicKeyInfo.
    ///   - authority: Its host and port.
    /// - Returns: The policy.
    func afterVisit(to key: [UInt8], at authority: Authority) -> any TrustPolicy

    /// The reason why a host may not be asked over plain http, in a sentence; `nil` if the mechanism permits it, or
    /// has no such setting.
    func refusalOfCleartext(to host: Host) -> String?

    /// The error by which an app learns of a refusal; `nil` if the client is URLSession.
    ///
    /// - Parameters:
    ///   - cause: The reason of the refusal.
    ///   - host: The host of the request.
    /// - Returns: The error in the words of the mechanism's own client.
    func error(for cause: RefusalCause, at host: Host) -> ReportedError?

    /// The policy of the client for a server about which the mechanism has nothing to say.
    func defaultHandling(of authority: Authority) -> any TrustPolicy

    /// The report that a client sends about a mismatch; `nil` if there is nothing to report or no recipient.
    ///
    /// - Parameters:
    ///   - evidence: The evidence that was judged.
    ///   - judgement: The judgement.
    /// - Returns: The report and its recipients.
    func report(_ evidence: Evidence, _ judgement: Judgement) -> PinReport?
}

extension TrustPolicy {
    /// No pins by default.
    package var pinLists: [PinList] {
        get { [] }
        set {}
    }

    /// `false`: the client's default handling makes the checks.
    package var isForDelegates: Bool { false }

    /// Apple's rules, since a client of URLSession makes the checks of most mechanisms.
    package var verifier: VerifierProfile { .apple }

    /// The question about the chain and the host, by the rules of the client.
    func question(_ evidence: Evidence) -> ChainQuestion { ChainQuestion(evidence, by: verifier) }

    /// The hosts of the pins, without duplicates.
    package var scopes: [HostScope] {
        var seen: Set<String> = []
        return pinLists.compactMap(\.scope).filter { scope in
            seen.insert("\(scope.text) \(scope.port.map { "\($0)" } ?? "")").inserted
        }
    }

    /// No exemptions by default.
    package var exemptions: [HostScope] { [] }

    /// No findings by default.
    package func findings(in lint: PolicyLint) -> [LintFinding] { [] }

    /// The sound settings of any client that pins.
    package func soundSettings(for authority: Authority, by chosen: VerifierProfile?) -> [Safeguards] {
        .anyMechanism.judged(by: chosen ?? verifier)
    }

    /// The unchanged policy, since most mechanisms remember nothing.
    package func afterVisit(to key: [UInt8], at authority: Authority) -> any TrustPolicy { self }

    /// No refusal, since most mechanisms check only certificates.
    package func refusalOfCleartext(to host: Host) -> String? { nil }

    /// No own error by default, so that the errors of URLSession apply.
    package func error(for cause: RefusalCause, at host: Host) -> ReportedError? { nil }

    /// No report by default.
    package func report(_ evidence: Evidence, _ judgement: Judgement) -> PinReport? { nil }
}
