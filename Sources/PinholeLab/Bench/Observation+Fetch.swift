package import PinholeClient
import PinholeModel
import PinholeTrust
import PinholeWire

extension Observation {
    /// Creates the observation that follows from a fetch of the companion client.
    package init(_ outcome: FetchOutcome) {
        switch outcome.result {
        case .success(let response) where response.head.status == 200:
            self.init(.accepted, "The request was sent and answered.")
        case .success(let response):
            self.init(
                .undecided,
                "The request was sent, and the status was \(response.head.status) \(response.head.reason) in place of 200."
            )
        case .failure(let failure):
            let why = Self.withoutPins(failure.rejection?.detail ?? failure.detail)
            self.init(failure.code.refusesServer ? .rejected : .undecided, why.asSentence)
            self.failure = failure
        }
        for step in outcome.story.steps {
            switch step {
            case .serverChain(let presentation): presented = presentation.chain
            case .judgement(_, let judgement, _):
                checks = judgement.checks
                validated = judgement.path?.certificates ?? []
            default: break
            }
        }
    }

    /// Leaves out the pins of a text, since the lab makes its keys anew for each run; the subjects of the keys stay.
    static func withoutPins(_ text: String) -> String {
        // To build the expression takes longer than all else that is done with the text of a refusal.
        guard text.contains("sha256/") else { return text }
        return text.replacing(/sha256\/\/?[A-Za-z0-9+\/]{43}=(?: \(([^()]*)\))?/) { pin in
            pin.output.1.map(String.init) ?? "a pin"
        }.replacing(/a pin(?:, a pin)+/) { pins in "\(pins.output.split(separator: ",").count) pins" }
    }
}

extension ClientFailure {
    /// The cause of the refusal, on which the error of another client depends.
    private var cause: RefusalCause {
        if let rejection { return .rejection(rejection) }
        return switch code {
        case .appTransportSecurityRequiresSecureConnection: .cleartext
        case .secureConnectionFailed, .clientCertificateRejected, .clientCertificateRequired:
            .handshake(detail)
        default: .connection(detail)
        }
    }

    /// The error in the words of a policy's own client.
    func reported(by policy: any TrustPolicy, at host: Host) -> ReportedError? {
        policy.error(for: cause, at: host)
    }
}

extension URLErrorCode {
    /// Whether the failure says that the client did not want to speak with this server.
    fileprivate var refusesServer: Bool {
        switch self {
        case .cancelled, .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
            .appTransportSecurityRequiresSecureConnection:
            true
        default: false
        }
    }
}

extension String {
    /// The text with a capital letter at the beginning and a full stop at the end.
    var asSentence: String {
        let text = prefix(1).uppercased() + dropFirst()
        return text.last.map { ".!?".contains($0) } ?? true ? text : text + "."
    }
}
