import PinholeModel

/// What a policy has to tell whoever wants to know of mismatches.
package struct PinReport: Hashable, Sendable {
    /// Where the policy's settings want it to be sent.
    package let addresses: [String]
    /// The report: JSON with the names of RFC 7469 §3, which TrustKit uses as well.
    package let body: [UInt8]

    /// Creates a report of a mismatch.
    ///
    /// - Parameters:
    ///   - addresses: Where it goes.
    ///   - evidence: The facts.
    ///   - pins: The pins, none of which matched.
    ///   - path: The path that they were compared with.
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
    /// Whether there was a path, and something about it was not as it was to be: pins that did not match.
    var isMismatch: Bool { path != nil && checks.contains { $0.outcome == .failed } }
}

/// A policy that tells somebody of mismatches, enforced or not.
package protocol ReportingPolicy: TrustPolicy {
    /// What there is to report; `nil` for nothing, and where nobody wants to know.
    ///
    /// - Parameters:
    ///   - evidence: The facts.
    ///   - judgement: What the policy made of them.
    /// - Returns: The report.
    func report(_ evidence: Evidence, _ judgement: Judgement) -> PinReport?
}
