import PinholeModel

/// The report of a mismatch that a policy sends to the recipients in its settings.
package struct PinReport: Hashable, Sendable {
    /// The addresses of the recipients.
    package let addresses: [String]
    /// The report: JSON with the names of RFC 7469 §3, which TrustKit uses as well.
    package let body: [UInt8]

    /// Creates a report of a mismatch.
    ///
    /// - Parameters:
    ///   - addresses: The addresses of the recipients.
    ///   - evidence: The facts.
    ///   - pins: The configured pins, none of which matched.
    ///   - path: The path that the pins were compared with.
    init(to addresses: [String], _ evidence: Evidence, pins: [Pin], path: ValidatedChain?) {
        self.addresses = addresses
        var text = JSONText()
        text.object { text in
            text.member("hostname", evidence.host?.description ?? "")
            text.member("port", Int64(evidence.port))
            text.name("known-pins")
            text.array { text in for pin in pins { text.string("\(pin)") } }
            text.name("validated-certificate-chain")
            text.array { text in
                for certificate in path?.certificates ?? [] { text.string(Base64.encode(certificate.der)) }
            }
        }
        body = text.take()
    }
}

extension Judgement {
    /// Whether there was a path but a check failed, which means that no pin matched.
    var isMismatch: Bool { path != nil && checks.contains { $0.outcome == .failed } }
}
