import PinholeCrypto
import PinholeModel

/// The page that says why the proxy did not accept a server's certificate or handshake.
enum ServerFaultPage {
    static func page(for secured: SecuredServer, authority: Authority) -> ErrorPage {
        switch secured.chain.verdict {
        case .refused(let fault): refused(fault, authority)
        case .absent(let reason): failed(secured.handshake, reason, authority)
        case .trusted, .exempted, .mirrored:
            failed(secured.handshake, "the connection was lost", authority)
        }
    }

    private static func refused(_ fault: ServerFault, _ authority: Authority) -> ErrorPage {
        let exempt = """
            To accept it for this host, use the button in the console (the overview of this request), start Pinhole \
            with --danger-accept \(authority.host), or add {"hosts": ["\(authority.host)"], "reason": "…"} to \
            tls.exemptions in config.json. To let the client judge, set tls.badCertificate to "mirror".
            """
        let remedy =
            switch fault.kind {
            case .untrusted:
                "If it is issued by a CA of your own, start Pinhole with --upstream-ca FILE. \(exempt)"
            case .ownAuthority: "A server must not use a certificate of Pinhole's CA; give it one of its own."
            case .expired, .notYetValid: "Check the clock of this machine. \(exempt)"
            case .wrongName, .revoked, .unacceptable: exempt
            }
        return ErrorPage(
            title: ExchangeOutcome.certificateRefused,
            detail: "\(authority): \(fault.description.sentence)",
            remedy: remedy
        )
    }

    private static func failed(
        _ handshake: HandshakeRecord,
        _ reason: String,
        _ authority: Authority
    ) -> ErrorPage {
        let remedy =
            switch handshake.failure?.cause {
            case .clientCertificateRequired:
                ErrorPage.clientCertificateRemedy(authority)
            case .notTLS: "Check the port: TLS is usually spoken on 443."
            case .noCommonVersion:
                "See tls.server.minimum and tls.server.maximum in config.json, or name the host in tls.passthrough if it "
                    + "speaks only TLS 1.0 or 1.1: client and server then agree on a version themselves."
            case .closed, .reset:
                "If the server speaks only TLS 1.0 or 1.1, name the host in tls.passthrough: client and server then agree "
                    + "on a version themselves."
            default: ""
            }
        return ErrorPage(
            title: "No TLS connection to the server",
            detail: "\(authority): \(handshake.failure?.detail ?? reason)",
            remedy: remedy
        )
    }
}
