import PinholeCrypto
package import PinholeModel

/// The details of a flow.
package struct FlowDetailJSON: Codable, DescribedMembers {
    /// The members whose meaning the description of the API tells.
    package static let described: [FieldJSON] = [
        FieldJSON("clientHello", "The client's offer."),
        FieldJSON("inbound", "The protocol and TLS between client and proxy; missing for plain HTTP/1.1."),
    ]

    /// A TLS handshake of the flow.
    package struct Handshake: Codable, DescribedMembers {
        /// The members whose meaning the description of the API tells.
        package static let described: [FieldJSON] = [
            FieldJSON("group", "The group of the key exchange by its name at IANA."),
            FieldJSON(
                "verification",
                "The verifier's finding; missing if it found nothing wrong or was not asked."
            ),
            FieldJSON("exemption", "Why a certificate that failed was used nevertheless."),
            FieldJSON("chain", "The chain that the peer presented, leaf first."),
        ]

        let version: String?
        let cipher: String?
        let group: String?
        let applicationProtocol: String?
        let serverName: String?
        let isResumed: Bool
        let milliseconds: Double
        let verification: String?
        let exemption: String?
        let requestedClientCertificate: Bool
        let failure: HandshakeFailureJSON?
        let chain: [CertificateJSON]

        /// Takes the facts of a handshake.
        package init(_ record: HandshakeRecord) {
            version = record.version
            cipher = record.cipher
            group = record.group
            applicationProtocol = record.applicationProtocol
            serverName = record.serverName
            isResumed = record.isResumed
            milliseconds = Double(record.duration.microseconds) / 1000
            verification = record.verification
            exemption = record.exemption
            requestedClientCertificate = record.requestedClientCertificate
            failure = HandshakeFailureJSON(record)
            chain = record.presentedChain.map(CertificateJSON.init)
        }
    }

    /// A certificate of a presented chain.
    struct CertificateJSON: Codable, DescribedMembers {
        static let described: [FieldJSON] = [
            FieldJSON("pin", "The pin of its key: sha256/ and Base64."),
            FieldJSON("derBase64", format: .base64),
        ]

        let subject: String?
        let issuer: String?
        let names: [String]?
        let notBefore: String?
        let notAfter: String?
        let pin: String?
        let derBase64: String

        init(_ der: [UInt8]) {
            let certificate = try? Certificate(der: der)
            subject = certificate?.subject
            issuer = certificate?.issuer
            names = certificate?.subjectAlternativeNames.map(\.description)
            notBefore = certificate?.notBefore.iso8601
            notAfter = certificate?.notAfter.iso8601
            pin = certificate?.pin
            derBase64 = Base64.encode(der)
        }
    }

    /// An attempt to connect to an address of the server.
    struct Dial: Codable {
        let address: String
        let milliseconds: Double
        let failure: String?

        init(_ record: DialRecord) {
            address = record.address
            milliseconds = Double(record.duration.microseconds) / 1000
            failure = record.failure
        }
    }

    let flow: FlowJSON
    let inbound: InboundTransport?
    let dials: [Dial]
    let clientHello: ClientHelloRecord?
    let keyExchange: KeyExchangeJSON?
    let client: Handshake?
    let server: Handshake?

    /// Takes the facts of a flow.
    package init(_ record: FlowRecord) {
        flow = FlowJSON(record)
        inbound = record.inbound
        dials = record.dials.map(Dial.init)
        clientHello = record.clientHello
        keyExchange = KeyExchange(record).map(KeyExchangeJSON.init)
        client = record.clientHandshake.map(Handshake.init)
        server = record.serverHandshake.map(Handshake.init)
    }
}
