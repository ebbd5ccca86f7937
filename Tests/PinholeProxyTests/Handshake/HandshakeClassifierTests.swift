import PinholeModel
import Testing

@testable import PinholeCrypto
@testable import PinholeProxy

/// The table of causes, alert by alert.
@Suite("HandshakeClassifier")
struct HandshakeClassifierTests {
    typealias Cause = HandshakeFailure.Cause

    /// What an alert of the client means, at first sight and from one that accepts the CA elsewhere.
    private static let alerts: [(code: UInt8, cause: Cause, isHint: Bool, elsewhere: Cause)] = [
        (0, .cancelled, true, .cancelled), (10, .protocolError, false, .protocolError),
        (20, .protocolError, false, .protocolError), (40, .certificateRefused, true, .looksPinned),
        (41, .certificateRefused, false, .certificateRefused), (42, .certificateRefused, false, .looksPinned),
        (43, .certificateRefused, false, .certificateRefused),
        (44, .certificateRefused, false, .certificateRefused), (45, .dateRefused, false, .dateRefused),
        (46, .certificateRefused, false, .looksPinned), (47, .protocolError, false, .protocolError),
        (48, .authorityNotTrusted, false, .authorityNotTrusted),
        (49, .certificateRefused, false, .looksPinned),
        (50, .protocolError, false, .protocolError), (51, .certificateRefused, false, .certificateRefused),
        (70, .noCommonVersion, false, .noCommonVersion), (71, .noCommonCipher, false, .noCommonCipher),
        (80, .certificateRefused, true, .looksPinned), (86, .protocolError, false, .protocolError),
        (90, .cancelled, true, .cancelled), (109, .protocolError, false, .protocolError),
        (110, .protocolError, false, .protocolError), (112, .nameRefused, false, .nameRefused),
        (113, .certificateRefused, false, .certificateRefused), (116, .protocolError, false, .protocolError),
        (120, .noCommonProtocol, false, .noCommonProtocol), (121, .protocolError, false, .protocolError),
        (255, .protocolError, false, .protocolError),
    ]

    @Test("reads each alert of a client", arguments: alerts.indices)
    func clientAlert(index: Int) {
        let row = Self.alerts[index]
        let alert = Alert(code: row.code)
        for isElsewhere in [false, true] {
            let ends = [
                HandshakeClassifier.ClientEnd(
                    failure: TLSFailure(.alertReceived(alert), detail: ""),
                    close: nil,
                    isAcceptedElsewhere: isElsewhere
                ),
                HandshakeClassifier.ClientEnd(
                    failure: nil,
                    close: .alert(alert),
                    isAcceptedElsewhere: isElsewhere
                ),
            ]
            for end in ends {
                let failure = HandshakeClassifier.client(end)
                #expect(failure.cause == (isElsewhere ? row.elsewhere : row.cause), "alert \(row.code)")
                #expect(failure.alert == alert && failure.endedBy == .client)
                #expect(failure.detail.contains(alert.name))
                if failure.cause == .looksPinned {
                    #expect(failure.isHint)
                } else {
                    #expect(failure.isHint == row.isHint, "alert \(row.code)")
                }
            }
        }
    }

    @Test("calls silence a hint, and a hint at a pin where the client accepts the CA elsewhere")
    func silence() {
        for (close, cause) in [
            (CloseKind.orderly, Cause.closed), (.truncated, .closed), (.reset("x"), .reset),
        ] {
            for isElsewhere in [false, true] {
                let failure = HandshakeClassifier.client(
                    .init(failure: nil, close: close, isAcceptedElsewhere: isElsewhere)
                )
                #expect(failure.cause == (isElsewhere ? .looksPinned : cause))
                #expect(failure.isHint && failure.endedBy == .client && failure.alert == nil)
            }
        }
        let timedOut = HandshakeClassifier.client(.init(failure: nil, close: nil, isAcceptedElsewhere: true))
        #expect(timedOut.cause == .timedOut && timedOut.endedBy == nil)
    }

    @Test("never blames the certificate for a failure before it")
    func beforeCertificate() {
        for (kind, cause) in [
            (TLSFailure.Kind.notTLS, Cause.notTLS), (.noCommonVersion, .noCommonVersion),
            (.noCommonCipher, .noCommonCipher), (.noCommonProtocol, .noCommonProtocol),
            (.noCommonGroup, .noCommonGroup), (.protocolError, .protocolError), (.system, .protocolError),
            (.refused(nil), .protocolError),
        ] {
            let failure = HandshakeClassifier.client(
                .init(failure: TLSFailure(kind, detail: "x"), close: nil, isAcceptedElsewhere: true)
            )
            #expect(failure.cause == cause && !failure.isHint)
        }
    }

    @Test("judges a close after the handshake by its time")
    func afterHandshake() {
        var handshake = HandshakeRecord(
            peer: .client,
            started: Timestamp(seconds: 1),
            duration: .milliseconds(5)
        )
        for (milliseconds, duration, isPin) in [
            (0, 5, true), (100, 5, true), (101, 5, false), (300, 30, true), (301, 30, false),
        ] {
            handshake.duration = .milliseconds(duration)
            for kind in [CloseKind.orderly, .truncated, .reset("x"), .alert(Alert(code: 0, isFatal: false))] {
                let failure = HandshakeClassifier.afterHandshake(
                    kind,
                    elapsed: .milliseconds(milliseconds),
                    handshake: handshake
                )
                #expect((failure?.cause == .looksPinned) == isPin, "\(milliseconds) ms")
                #expect(failure?.isHint != false)
            }
        }
        let late = HandshakeClassifier.afterHandshake(
            .alert(Alert(code: 48)),
            elapsed: .seconds(9),
            handshake: handshake
        )
        #expect(late?.cause == .authorityNotTrusted && late?.isHint == false)
    }

    private func server(
        _ kind: TLSFailure.Kind?,
        close: CloseKind? = nil,
        asked: Bool = false,
        given: Bool = false,
        offered: [UInt16] = [],
        known: [UInt16] = TLSLibrary.offeredGroups
    ) -> HandshakeFailure {
        var hello = ClientHelloRecord()
        hello.groups = offered
        return HandshakeClassifier.server(
            kind.map { TLSFailure($0, detail: "x") },
            close: close,
            verification: nil,
            requestedClientCertificate: asked,
            presentedClientCertificate: given,
            hello: hello,
            knownGroups: known
        )
    }

    @Test(
        "says that a server may accept only post-quantum keys that libssl does not have",
        arguments: [
            ([UInt16](), [29, 23] as [UInt16], Cause.noCommonCipher, "accepts only post-quantum"),
            ([29, 23], [29, 23], .noCommonCipher, "tls.passthrough"),
            ([29, 4588], [29, 23], .noCommonGroup, "the client offered X25519MLKEM768"),
            ([29, 4588], [4588, 29], .noCommonCipher, "(handshake_failure (40))."),
            ([4588, 4590], [4588, 29], .noCommonGroup, "the client offered curveSM2MLKEM768"),
        ]
    )
    func postQuantumServer(offered: [UInt16], known: [UInt16], cause: Cause, words: String) {
        let refused = TLSFailure.Kind.alertReceived(Alert(code: 40))
        let failure = server(refused, offered: offered, known: known)
        #expect(failure.cause == cause && failure.isHint == (cause == .noCommonGroup))
        #expect(failure.alert?.code == 40 && failure.detail.contains(words), "\(failure)")
        #expect(failure.detail.contains("Debian 13") != known.contains(4588), "\(failure)")
        // Another alert tells another cause, whatever the client offered.
        let other = server(.alertReceived(Alert(code: 70)), offered: offered, known: known)
        #expect(other.cause == .noCommonVersion)
    }

    @Test(
        "tells a client without a common group the remedy that helps",
        arguments: [
            ([4588] as [UInt16], [29, 23] as [UInt16], "the client offered X25519MLKEM768", true),
            ([4590], [4588, 29], "tls.passthrough", false),
            ([30], [29, 23], "The client offers no key exchange that Pinhole accepts.", false),
        ]
    )
    func postQuantumClient(offered: [UInt16], known: [UInt16], words: String, helpsUpgrade: Bool) {
        let failure = HandshakeClassifier.client(
            .init(
                failure: TLSFailure(.noCommonGroup, detail: ""),
                isAcceptedElsewhere: false,
                groups: offered,
                knownGroups: known
            )
        )
        #expect(failure.cause == .noCommonGroup && failure.detail.contains(words), "\(failure)")
        #expect(failure.detail.contains("Debian 13") == helpsUpgrade, "\(failure)")
    }

    @Test("reads how a handshake with a server failed")
    func serverSide() {
        for (kind, cause) in [
            (TLSFailure.Kind.alertReceived(Alert(code: 70)), Cause.noCommonVersion),
            (.alertReceived(Alert(code: 40)), .noCommonCipher),
            (.alertReceived(Alert(code: 71)), .noCommonCipher),
            (.alertReceived(Alert(code: 120)), .noCommonProtocol),
            (.alertReceived(Alert(code: 80)), .protocolError), (.truncated, .closed), (.notTLS, .notTLS),
            (.noCommonVersion, .noCommonVersion), (.noCommonCipher, .noCommonCipher),
            (.noCommonGroup, .noCommonGroup),
            (.noCommonProtocol, .noCommonProtocol), (.system, .protocolError),
        ] {
            #expect(server(kind).cause == cause, "\(kind)")
        }
        #expect(server(nil).cause == .timedOut)
        #expect(server(nil, close: .reset("x")).cause == .reset)
        #expect(server(nil, close: .orderly).cause == .closed)
    }

    @Test("knows a server that wants a client certificate")
    func clientCertificate() {
        let told = server(.alertReceived(Alert(code: 40)), asked: true)
        #expect(told.cause == .clientCertificateRequired && !told.isHint && told.alert?.code == 40)
        let silent = server(nil, close: .orderly, asked: true)
        #expect(silent.cause == .clientCertificateRequired && silent.isHint)
        #expect(server(.alertReceived(Alert(code: 40)), asked: true, given: true).cause == .noCommonCipher)

        let later = HandshakeClassifier.serverAfterHandshake(.alert(Alert(code: 116)))
        #expect(later?.cause == .clientCertificateRequired && later?.isHint == false)
        #expect(HandshakeClassifier.serverAfterHandshake(.alert(Alert(code: 42)))?.isHint == true)
        #expect(HandshakeClassifier.serverAfterHandshake(.reset("x"))?.isHint == true)
        #expect(HandshakeClassifier.serverAfterHandshake(.alert(Alert(code: 10))) == nil)
    }

    @Test("puts a refused certificate before everything else")
    func refusedCertificate() {
        let verification = ChainVerification.refused
        let failure = HandshakeClassifier.server(
            TLSFailure(.certificateRefused, detail: ""),
            close: nil,
            verification: verification,
            requestedClientCertificate: true,
            presentedClientCertificate: false
        )
        #expect(failure.cause == .serverCertificateRefused && !failure.isHint)
    }
}

extension ChainVerification {
    fileprivate static var refused: ChainVerification {
        ChainVerification(
            presented: [],
            validated: [],
            fault: ServerFault(.expired, "the certificate expired"),
            exemption: nil
        )
    }
}
