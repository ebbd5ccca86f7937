import ArgumentParser
import PinholeClient

/// The options that answer challenges as a delegate of an app does.
struct FetchDispositionOptions: ParsableArguments {
    @Option(
        help: .value(
            "method=disposition",
            "Answer a challenge in this way: trust, certificate, basic or digest, and default, cancel or reject (rejectProtectionSpace); may be repeated."
        ),
        transform: { text in
            guard let answer = FetchDispositionOptions.Answer(text) else {
                throw ValidationError(
                    "--disposition: expected such as digest=reject, with trust, certificate, basic or digest, and default, cancel or reject; found “\(text)”"
                )
            }
            return answer
        }
    )
    var disposition: [Answer] = []

    /// A method with the answer to its challenges.
    struct Answer: Sendable {
        let method: AuthenticationMethod
        let disposition: ChallengeDisposition

        /// Reads `METHOD=DISPOSITION`, with Apple's names for dispositions as well.
        init?(_ text: String) {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { return nil }
            switch parts[0] {
            case "trust": method = .serverTrust
            case "certificate": method = .clientCertificate
            case "basic": method = .httpBasic
            case "digest": method = .httpDigest
            default: return nil
            }
            switch parts[1] {
            case "default", "performDefaultHandling": disposition = .performDefaultHandling
            case "cancel", "cancelAuthenticationChallenge": disposition = .cancelAuthenticationChallenge
            case "reject", "rejectProtectionSpace": disposition = .rejectProtectionSpace
            default: return nil
            }
        }
    }

    /// Returns a delegate that answers as the options say, and otherwise as another one does.
    func delegate(besides other: ClientDelegate) -> ClientDelegate {
        guard !disposition.isEmpty else { return other }
        let answers = Dictionary(disposition.map { ($0.method, $0.disposition) }) { $1 }
        func handler(_ level: ClientDelegate.Handler?) -> ClientDelegate.Handler {
            { challenge in
                if let answer = answers[challenge.protectionSpace.authenticationMethod] { return answer }
                return await level?(challenge) ?? .performDefaultHandling
            }
        }
        var delegate = other
        // A session without a handler leaves challenges of connections to the task.
        delegate.session = other.session.map { handler($0) }
        delegate.task = handler(other.task)
        return delegate
    }
}
