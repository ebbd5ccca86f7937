import PinholeCrypto
import PinholeModel
import PinholeTrust
import PinholeWire
import Testing

@testable import PinholeClient
@testable import PinholeLab

@Suite("Client, server trust")
struct ServerTrustTests {
    @Test("a trusted host is fetched, and the transcript has the steps in their order")
    func good() async throws {
        try await ClientStage.run { stage in
            let outcome = try await stage.fetch("/json")
            #expect(outcome.text.contains("teapot"), "\(outcome)")
            let names = outcome.story.steps.map { step -> String in
                switch step {
                case .resolved: "name"
                case .connected: "connected"
                case .clientHello: "hello"
                case .serverChain: "chain"
                case .challenge: "challenge"
                case .disposition: "disposition"
                case .judgement: "judgement"
                case .handshake: "handshake"
                case .request: "request"
                case .response: "response"
                case .body: "body"
                default: "\(step)"
                }
            }
            #expect(
                names == [
                    "name", "connected", "hello", "chain", "challenge", "disposition", "judgement",
                    "handshake", "request", "response", "body",
                ]
            )
        }
    }

    static let faulty: [(host: Host, code: URLErrorCode, check: String)] = [
        (VirtualHost.expired, .serverCertificateHasBadDate, "dates"),
        (VirtualHost.early, .serverCertificateNotYetValid, "dates"),
        (VirtualHost.wrongName, .serverCertificateUntrusted, "host"),
        (VirtualHost.selfSigned, .serverCertificateHasUnknownRoot, "chain"),
        (VirtualHost.untrusted, .serverCertificateHasUnknownRoot, "chain"),
    ]

    @Test("default handling fails with the code that URLSession has for the fault", arguments: faulty)
    func faults(host: Host, code: URLErrorCode, check: String) async throws {
        try await ClientStage.run { stage in
            for place in ClientSettings.CheckPlace.allCases {
                let outcome = try await stage.fetch("/json", host) { $0.checkPlace = place }
                #expect(outcome.failure?.code == code, "\(outcome)")
                #expect(outcome.failure?.check == check)
                #expect(outcome.requests.isEmpty)
                // A handshake that was refused inside never finishes.
                #expect(outcome.resumptions.isEmpty == (place == .insideHandshake))
            }
        }
    }

    enum Answer: CaseIterable, Sendable {
        case credential, nothing, byDefault, cancel, reject
    }

    @Test(
        "each disposition treats a bad chain as URLSession does",
        arguments: [
            (Answer.credential, nil), (.nothing, URLErrorCode.serverCertificateUntrusted),
            (.byDefault, .serverCertificateHasUnknownRoot), (.cancel, .cancelled),
            (.reject, .secureConnectionFailed),
        ]
    )
    func dispositions(answer: Answer, code: URLErrorCode?) async throws {
        let delegate = ClientDelegate(session: { challenge in
            // A delegate may take its time: the handshake waits.
            await Task.yield()
            return switch answer {
            case .credential: .useCredential(challenge.serverTrust.map { Credential(trust: $0) })
            case .nothing: .useCredential(nil)
            case .byDefault: .performDefaultHandling
            case .cancel: .cancelAuthenticationChallenge
            case .reject: .rejectProtectionSpace
            }
        })
        try await ClientStage.run { stage in
            let outcome = try await stage.fetch("/json", VirtualHost.untrusted, delegate: delegate)
            #expect(outcome.failure?.code == code, "\(outcome)")
            #expect((outcome.response?.head.status == 200) == (code == nil))
        }
    }

    @Test("a challenge of TLS goes to the session's handler, and to the task's where there is none")
    func precedence() async throws {
        let handler: ClientDelegate.Handler = { _ in .performDefaultHandling }
        let table: [(ClientDelegate, ClientDelegate.Level?)] = [
            (ClientDelegate(), nil), (ClientDelegate(session: handler), .session),
            (ClientDelegate(task: handler), .task),
            (ClientDelegate(session: handler, task: handler), .session),
        ]
        try await ClientStage.run { stage in
            for (delegate, level) in table {
                let outcome = try await stage.fetch("/json", delegate: delegate)
                #expect(outcome.challenges.map(\.level) == [level])
                #expect(
                    outcome.challenges.first?.challenge.protectionSpace.authenticationMethod == .serverTrust
                )
            }
        }
        // Basic, Digest and proxies never go to the session's handler.
        for method in [AuthenticationMethod.httpBasic, .httpDigest] {
            #expect(ClientDelegate(session: handler).handler(for: method) == nil)
            #expect(ClientDelegate(session: handler, task: handler).handler(for: method)?.level == .task)
        }
    }

    @Test("a right pin passes; a wrong one cancels (-999), and the failure shows the pins to paste")
    func pins() async throws {
        try await ClientStage.run { stage in
            let good = SPKIPolicy(pins: [try stage.pin()], scope: .leaf)
            let fetched = try await stage.fetch("/json", delegate: .judging(by: good))
            #expect(fetched.response?.head.status == 200, "\(fetched)")

            let pin = try stage.pin().description
            let bad = SPKIPolicy(pins: [try ClientStage.wrongPin()], scope: .chain)
            for place in ClientSettings.CheckPlace.allCases {
                let refused = try await stage.fetch("/json", delegate: .judging(by: bad)) {
                    $0.checkPlace = place
                }
                #expect(refused.failure?.code == .cancelled)
                #expect(refused.failure?.check == "pin")
                #expect(refused.failure?.rejection?.reason == .pinMismatch)
                #expect(refused.failure?.detail.contains(pin) == true)
                #expect(refused.requests.isEmpty)
            }
        }
    }

    @Test("AFNetworking's refusals are -1202, those of other delegates -999")
    func libraries() async throws {
        try await ClientStage.run { stage in
            let pattern = try HostPattern("*.example.test")
            let policies: [(any TrustPolicy, URLErrorCode)] = [
                (
                    HostPolicies([([pattern], AFSecurityPolicy(pinningMode: .certificate))]),
                    .serverCertificateUntrusted
                ),
                (
                    AFSecurityPolicy(
                        pinningMode: .publicKey,
                        pinnedCertificates: [try OriginAuthority(now: stage.now).root.facts]
                    ), .serverCertificateUntrusted
                ),
                (
                    CertificatePolicy(
                        certificates: [try OriginAuthority(now: stage.now).root.facts],
                        scope: .chain
                    ), .cancelled
                ),
            ]
            for (policy, code) in policies {
                let outcome = try await stage.fetch("/json", delegate: .judging(by: policy))
                #expect(outcome.failure?.code == code, "\(outcome)")
            }
        }
    }
}
