import PinholeCrypto
import PinholeModel
import Testing

@testable import PinholeClient
@testable import PinholeLab

@Suite("Client, client certificates")
struct ClientCertificateTests {
    private static let versions: [ClosedRange<TLSVersion>] = [.tls12 ... .tls12, .tls13 ... .tls13]

    @Test("the right certificate opens the door, none and a stranger's do not", arguments: versions)
    func outcomes(versions: ClosedRange<TLSVersion>) async throws {
        try await ClientStage.run { stage in
            let alice = try stage.origin.authority.clientIdentity(named: "Alice", now: stage.now)
            let mallory = try OriginAuthority(now: stage.now).clientIdentity(named: "Mallory", now: stage.now)
            let table: [(Identity?, URLErrorCode?)] = [
                (alice, nil), (nil, .clientCertificateRequired), (mallory, .clientCertificateRejected),
            ]
            for (identity, code) in table {
                let outcome = try await stage.fetch("/echo", VirtualHost.bank) {
                    $0.identity = identity
                    $0.versions = versions
                }
                #expect(outcome.failure?.code == code, "\(outcome)")
                #expect(outcome.text.contains("CN=Alice") == (code == nil))
            }
        }
    }

    @Test("the client certificate challenge follows that for the server, and names the accepted CAs")
    func challenge() async throws {
        try await ClientStage.run { stage in
            let alice = try stage.origin.authority.clientIdentity(named: "Alice", now: stage.now)
            let delegate = ClientDelegate(session: { challenge in
                challenge.protectionSpace.authenticationMethod == .clientCertificate
                    ? .useCredential(Credential(identity: alice)) : .performDefaultHandling
            })
            let outcome = try await stage.fetch("/echo", VirtualHost.bank, delegate: delegate)
            #expect(outcome.text.contains("CN=Alice"), "\(outcome)")
            let spaces = outcome.challenges.map(\.challenge.protectionSpace)
            #expect(spaces.map(\.authenticationMethod) == [.serverTrust, .clientCertificate])
            #expect(spaces.last?.distinguishedNames.first?.contains("Example Test Root CA") == true)
        }
    }

    @Test("a delegate may cancel, or present nothing where the settings have something")
    func dispositions() async throws {
        try await ClientStage.run { stage in
            let alice = try stage.origin.authority.clientIdentity(named: "Alice", now: stage.now)
            let table: [(ChallengeDisposition, URLErrorCode?)] = [
                (.performDefaultHandling, nil), (.useCredential(nil), .clientCertificateRequired),
                (.rejectProtectionSpace, .clientCertificateRequired),
                (.cancelAuthenticationChallenge, .cancelled),
            ]
            for (disposition, code) in table {
                let delegate = ClientDelegate(session: { challenge in
                    challenge.serverTrust == nil ? disposition : .performDefaultHandling
                })
                let outcome = try await stage.fetch("/echo", VirtualHost.bank, delegate: delegate) {
                    $0.identity = alice
                }
                #expect(outcome.failure?.code == code, "\(disposition): \(outcome)")
            }
        }
    }

    @Test("nothing is presented to a server whose own certificate is refused")
    func order() async throws {
        try await ClientStage.run { stage in
            let alice = try stage.origin.authority.clientIdentity(named: "Alice", now: stage.now)
            let outcome = try await stage.fetch("/echo", VirtualHost.bank) {
                $0.identity = alice
                $0.anchors = []
            }
            #expect(outcome.failure?.code == .serverCertificateHasUnknownRoot)
            #expect(outcome.challenges.count == 1)
        }
    }

    @Test("a PKCS#12 file with a wrong passphrase is a clear error, with the right one an identity")
    func container() throws {
        let authority = try OriginAuthority(now: Timestamp(seconds: 1_800_000_000))
        let alice = try authority.clientIdentity(named: "Alice", now: Timestamp(seconds: 1_800_000_000))
        let bytes = try alice.pkcs12(passphrase: "right")
        #expect(try Identity(pkcs12: bytes, passphrase: "right").certificate == alice.certificate)
        let failure = #expect(throws: CryptoFailure.self) {
            try Identity(pkcs12: bytes, passphrase: "wrong")
        }
        #expect(failure?.description.contains("passphrase does not fit") == true)
        #expect(throws: CryptoFailure.self) {
            try Identity(pkcs12: Array(bytes.prefix(100)), passphrase: "right")
        }
    }
}
