// Why exchanges, flows and handshakes failed, and what to do: the values of the fields `cause` and `remedy`.

extension ExchangeRecord {
    /// The reason of the failure in a few words, without the host; `nil` without a failure, or if the status says it.
    package var cause: String? {
        switch standing {
        case .broken: outcome?.detail.map { ExchangeOutcome.brief($0, of: authority) }
        case .failed: protocolStatus?.trouble
        case .completed, .relayed, .spare, .stopped, nil: nil
        }
    }

    /// The event, its reason and the remedy; `nil` if nothing needs to be done.
    package var remedy: String? {
        guard notes.contains(.clientCertificateMissing) else { return nil }
        let answer = status.map { "answered \($0)" } ?? "refused the request"
        return """
            \(authority) asked for a client certificate in the TLS handshake, got none, and \(answer), probably for that \
            reason. Choose a certificate for the host: in the console, with --client-certificate \(authority.host)=FILE \
            (PEM or PKCS#12) when Pinhole starts, or in tls.clientCertificates of config.json.
            """
    }

    /// The event and the remedy in one line; `nil` if nothing needs to be done.
    package var hint: String? {
        guard notes.contains(.clientCertificateMissing) else { return nil }
        return
            "the server asked for a client certificate and got none: --client-certificate \(authority.host)=FILE"
    }
}

extension ExchangeOutcome {
    /// The title of the answer for a server to which no connection could be made.
    package static let unreachable = "The server cannot be reached"
    /// The title of the answer for a server whose certificate was refused.
    package static let certificateRefused = "The server's certificate was refused"

    /// Returns a reason without the host, which a list shows beside it, and with a short title.
    fileprivate static func brief(_ detail: String, of authority: Authority) -> String {
        let text = detail.replacing("\(authority): ", with: "", maxReplacements: 1)
        if text.hasPrefix("\(unreachable): ") { return String(text.dropFirst(unreachable.count + 2)) }
        guard text.hasPrefix("\(certificateRefused): ") else { return text }
        return "certificate refused: " + text.dropFirst(certificateRefused.count + 2)
    }
}

extension FlowRecord {
    /// The failed handshake; the client's, if both failed.
    package var failedHandshake: HandshakeRecord? { handshakes.first { $0.failure != nil } }

    /// The reason of the failure in a few words; `nil` if the flow did not fail.
    package var cause: String? {
        guard let handshake = failedHandshake, let failure = handshake.failure else {
            return isFailed ? outcome?.detail : nil
        }
        let alert = failure.alert.map { ", alert \($0)" } ?? ""
        let certainty = failure.isHint ? "probably " : ""
        return "TLS with the \(handshake.peer.rawValue): \(certainty)\(failure.cause.summary)\(alert)"
    }

    /// The advice on the failure; `nil` if there is none.
    package var remedy: String? {
        if let handshake = failedHandshake { return handshake.failure?.cause.remedy(of: handshake.peer) }
        switch outcome?.kind {
        case .dialFailed:
            return "Check the name and the port, and that the server runs. docs/TROUBLESHOOTING.md has more."
        case .refused: return "See who may use the proxy, and for which servers: docs/LISTENERS.md."
        case .completed, .spare, .handshakeFailed, .aborted, .timedOut, .stopped, nil: return nil
        }
    }
}

extension HandshakeFailure.Cause {
    /// The cause in a few words.
    package var summary: String {
        switch self {
        case .authorityNotTrusted: "CA not trusted"
        case .certificateRefused: "certificate refused"
        case .looksPinned: "pinned"
        case .mirroredFaultRefused: "mirrored fault refused"
        case .dateRefused: "dates refused"
        case .nameRefused: "name refused"
        case .noCommonVersion: "no common TLS version"
        case .noCommonCipher: "no common cipher"
        case .noCommonGroup: "no common key exchange"
        case .noCommonProtocol: "no common protocol (ALPN)"
        case .closed: "closed without a word"
        case .reset: "connection reset"
        case .timedOut: "timed out"
        case .notTLS: "not TLS"
        case .cancelled: "cancelled"
        case .serverCertificateRefused: "server certificate refused"
        case .clientCertificateRequired: "client certificate required"
        case .protocolError: "TLS error"
        }
    }

    /// Returns advice on a failed handshake with a peer; `nil` if there is none.
    package func remedy(of peer: Side) -> String? {
        switch self {
        case .authorityNotTrusted:
            "Let the client trust Pinhole's CA: pinhole ca export, and docs/INSTALL.md#how-to-trust-it for each system."
        case .looksPinned, .certificateRefused:
            "Let the client trust Pinhole's CA. If the client pins, use a build without pins, or name the host in "
                + "tls.passthrough; docs/TROUBLESHOOTING.md#the-tls-handshake-fails."
        case .dateRefused: "Compare the clocks of both machines."
        case .nameRefused: "Ask for the host by a name that the server's certificate has."
        case .noCommonVersion, .noCommonCipher: "Widen tls.client or tls.server in config.json."
        case .serverCertificateRefused, .mirroredFaultRefused:
            "Fix the server's certificate; where only its CA is not known, name that with --upstream-ca; or make an "
                + "exemption: in the console, --danger-accept HOST, or tls.exemptions."
        case .clientCertificateRequired:
            "Choose a client certificate for the host: in the console, --client-certificate HOST=FILE, or "
                + "tls.clientCertificates."
        case .notTLS where peer == .server:
            "Check the port: TLS is usually spoken on 443. Where the server speaks plain HTTP, ask for http://."
        case .notTLS:
            "Where what the client speaks is meant, let the host pass: tls.passthrough in config.json, or --passthrough."
        // The cause names the TLS library of the recording, and what it lacks.
        case .noCommonGroup: "Let the host pass: tls.passthrough in config.json, or --passthrough."
        case .noCommonProtocol, .closed, .reset, .timedOut, .cancelled, .protocolError: nil
        }
    }
}
