/// Orders certificates into the chain of a key, from the leaf to the topmost certificate.
struct ChainBuilder {
    private var certificates: [Certificate] = []

    init(certificates: [Certificate]) {
        for certificate in certificates where !self.certificates.contains(certificate) {
            self.certificates.append(certificate)
        }
    }

    /// Returns the chain whose leaf has the public half of `key`.
    ///
    /// Every certificate must be a part of the chain.
    func chain(of key: PrivateKey) throws(CryptoFailure) -> [Certificate] {
        let spki = key.spki
        // There are several if a cross-signed authority has a certificate from each of two issuers.
        let leaves = certificates.filter { $0.handle.encodedKey == spki }
        let chains = leaves.map(chain(above:))
        guard let longest = chains.max(by: { $0.count < $1.count }) else {
            throw CryptoFailure(
                "the private key (\(key.keyDescription)) belongs to none of the certificates: "
                    + Self.names(certificates)
            )
        }
        let rest = certificates.filter { !longest.contains($0) }
        guard rest.isEmpty else {
            throw CryptoFailure(
                "the chain of “\(longest[0].subject)” ends at “\(longest[longest.count - 1].subject)”; "
                    + "not part of it, so take out of the file: \(Self.names(rest))"
            )
        }
        return longest
    }

    private func chain(above leaf: Certificate) -> [Certificate] {
        var chain = [leaf]
        while let top = chain.last, !top.isSelfSigned,
            let next = certificates.first(where: { !chain.contains($0) && top.isIssued(by: $0) })
        {
            chain.append(next)
        }
        return chain
    }

    private static func names(_ certificates: [Certificate]) -> String {
        certificates.map { "“\($0.subject)” (issued by “\($0.issuer)”)" }.joined(separator: ", ")
    }
}

extension Certificate {
    /// Whether `issuer` issued the certificate: names, key identifiers and usage match, and the signature verifies.
    package func isIssued(by issuer: Certificate) -> Bool {
        handle.mayBeIssued(by: issuer.handle) && handle.isSigned(by: issuer.handle)
    }
}
