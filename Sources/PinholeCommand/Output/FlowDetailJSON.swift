import Foundation
import PinholeCrypto
import PinholeModel

/// A flow in full.
struct FlowDetailJSON: Encodable {
    /// One handshake.
    struct Handshake: Encodable {
        let version: String?
        let cipher: String?
        let applicationProtocol: String?
        let serverName: String?
        let isResumed: Bool
        let milliseconds: Double
        let verification: String?
        let exemption: String?
        let requestedClientCertificate: Bool
        let failure: HandshakeFailureJSON?
        let chain: [CertificateJSON]

        init(_ record: HandshakeRecord) {
            version = record.version
            cipher = record.cipher
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

    /// One certificate.
    struct CertificateJSON: Encodable {
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
            derBase64 = Data(der).base64EncodedString()
        }
    }

    /// One attempt to connect.
    struct Dial: Encodable {
        let address: String
        let milliseconds: Double
        let failure: String?

        init(_ record: DialRecord) {
            address = record.address
            milliseconds = Double(record.duration.microseconds) / 1000
            failure = record.failure
        }
    }

    /// How the client came to the proxy, where that was not plain HTTP/1.1.
    struct Inbound: Encodable {
        let version: String?
        let cipher: String?
        let applicationProtocol: String
        let connection: Int64?
        let stream: Int32?

        init(_ record: InboundTransport) {
            version = record.version
            cipher = record.cipher
            applicationProtocol = record.applicationProtocol
            connection = record.connection?.rawValue
            stream = record.stream
        }
    }

    let flow: FlowJSON
    let inbound: Inbound?
    let dials: [Dial]
    let clientHello: ClientHelloRecord?
    let client: Handshake?
    let server: Handshake?

    init(_ record: FlowRecord) {
        flow = FlowJSON(record)
        inbound = record.inbound.map(Inbound.init)
        dials = record.dials.map(Dial.init)
        clientHello = record.clientHello
        client = record.clientHandshake.map(Handshake.init)
        server = record.serverHandshake.map(Handshake.init)
    }
}
