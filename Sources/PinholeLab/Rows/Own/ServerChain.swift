import PinholeModel
import PinholeTrust

/// The question to a validator of your own: whether a server is the one that was meant.
public struct ServerChain: Sendable {
    /// A certificate of the chain, for a validator to examine.
    public struct Certificate: Sendable, Hashable {
        /// The certificate in DER.
        public let der: [UInt8]
        /// Its pin: the Base64 of the SHA-256 of its SubjectPublicKeyInfo.
        public let pin: String
        /// Its subject, for people.
        public let subject: String
    }

    /// The pins that your validator is to use in the lab, in the place of your server's keys.
    public struct Pins: Sendable, Hashable {
        /// The key of the server and that of its backup; pins as in ``Certificate/pin``.
        public let leaf: [String]
        /// The key of the CA that issues for the server and that of the backup CA.
        public let authorities: [String]
        /// The server's certificate.
        public let leafCertificate: Certificate
        /// The certificate of the CA that issued it.
        public let authorityCertificate: Certificate
        /// The root above it, which the device trusts.
        public let rootCertificate: Certificate
    }

    /// The host that was asked for.
    public let host: String
    /// The port that the client connected to.
    public let port: Int
    /// The certificates that the server sent, leaf first: claims, of which none is proven.
    public let presented: [Certificate]
    /// The path that was built from these certificates to a CA of the device, leaf first, root last.
    ///
    /// The path is `nil` if default handling refuses the server: no such path, the wrong name, a wrong date.
    public let validated: [Certificate]?
    /// The reason why there is no validated path; `nil` if there is one.
    public let fault: String?
    /// The pins of the lab's keys.
    public let pins: Pins
}

extension ServerChain {
    init(_ evidence: Evidence, _ answer: ChainAnswer, _ pins: Pins) {
        host = evidence.host?.description ?? ""
        port = Int(evidence.port)
        presented = evidence.presented.certificates.map { Certificate($0) }
        validated = answer.path?.certificates.map { Certificate($0) }
        fault = answer.fault?.detail
        self.pins = pins
    }
}

extension ServerChain.Certificate {
    init(_ facts: CertificateFacts) {
        der = facts.der
        pin = Base64.encode(facts.spkiSHA256)
        subject = facts.title
    }
}

extension ServerChain.Pins {
    init(_ world: LabWorld) {
        leaf = world.leafPins.map(\.base64)
        authorities = world.authorityPins.map(\.base64)
        leafCertificate = ServerChain.Certificate(world.leaf)
        authorityCertificate = ServerChain.Certificate(world.intermediate)
        rootCertificate = ServerChain.Certificate(world.root)
    }
}
