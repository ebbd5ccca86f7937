package import PinholeCrypto
package import PinholeModel

/// A certificate hierarchy of the lab: a root, an issuing CA below it, and their certificates.
package struct LabHierarchy: Sendable {
    /// The organization, after which the authorities are called.
    package let name: String
    /// The root and its key.
    package let root: Identity
    /// The issuing CA and its key; its chain does not hold the root, which servers do not send.
    package let issuer: Identity
    /// The time around which all certificates are valid.
    package let now: Timestamp
    /// The logs to which the issuing CA submits its certificates; `nil` for none.
    let logs: LabLogs?

    /// Makes a hierarchy.
    ///
    /// - Parameters:
    ///   - name: The organization; the authorities are called after it.
    ///   - now: The present.
    ///   - logs: The logs to which it submits its certificates; `nil` for none.
    /// - Throws: ``CryptoFailure`` when OpenSSL fails.
    package init(_ name: String, now: Timestamp, logs: LabLogs? = nil) throws(CryptoFailure) {
        let rootKey = try PrivateKey.generateP256()
        let template = Self.rootTemplate(name, now: now)
        root = try Identity(chain: [template.signed(by: nil, key: rootKey)], key: rootKey)
        self.name = name
        self.now = now
        self.logs = logs
        issuer = try Self.subordinate(
            Self.issuerName(name),
            below: root,
            key: PrivateKey.generateP256(),
            now: now
        )
    }

    /// Makes the template of an organization's root certificate.
    static func rootTemplate(_ name: String, now: Timestamp) -> CertificateTemplate {
        var template = authority("\(name) Root CA", pathLength: nil, now: now)
        template.organization = name
        return template
    }

    /// Returns the common name of an organization's issuing CA.
    static func issuerName(_ name: String) -> String { "\(name) Issuing CA" }

    /// Makes the template of a CA of the lab, which is valid from a year ago until a year from now.
    package static func authority(
        _ commonName: String,
        pathLength: UInt8?,
        now: Timestamp
    ) -> CertificateTemplate {
        let year = Duration.seconds(365 * 86_400)
        var template = CertificateTemplate(
            commonName: commonName,
            notBefore: now - year,
            notAfter: now + year
        )
        template.role = .authority(pathLength: pathLength)
        return template
    }

    /// Makes an authority below another one.
    package static func subordinate(
        _ commonName: String,
        below parent: Identity,
        key: PrivateKey,
        now: Timestamp
    ) throws(CryptoFailure) -> Identity {
        let template = authority(commonName, pathLength: 0, now: now)
        return try Identity(chain: [template.signed(by: parent, key: key)], key: key)
    }

    /// Makes the template of a good leaf of the lab, which is valid for 60 days and half of them over.
    package func template(for names: [Host]) -> CertificateTemplate {
        let month = Duration.seconds(30 * 86_400)
        var template = CertificateTemplate(
            commonName: names.first?.name,
            notBefore: now - month,
            notAfter: now + month
        )
        template.names = names
        template.purposes = [.serverAuth]
        template.logging = logs?.logging(.complete, at: template.notBefore)
        return template
    }

    /// Makes a leaf and the chain that a server sends: leaf and issuing CA.
    ///
    /// - Parameters:
    ///   - names: Its names.
    ///   - key: Its key.
    ///   - submission: The timestamps that it gets, if the hierarchy has logs.
    ///   - change: Changes the template.
    /// - Returns: The chain with the key.
    /// - Throws: ``CryptoFailure`` when OpenSSL fails.
    package func leaf(
        for names: [Host],
        key: PrivateKey,
        submission: LabLogs.Submission = .complete,
        _ change: (inout CertificateTemplate) -> Void = { _ in }
    ) throws(CryptoFailure) -> Identity {
        var template = template(for: names)
        template.logging = logs?.logging(submission, at: template.notBefore)
        change(&template)
        return try Identity(chain: [template.signed(by: issuer, key: key)] + issuer.chain, key: key)
    }

    /// Makes a server of another host, with a key of its own.
    func host(_ host: Host) throws(CryptoFailure) -> VirtualHost {
        VirtualHost(host, identity: try leaf(for: [host], key: PrivateKey.generateP256()))
    }
}
