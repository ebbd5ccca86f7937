import Foundation
import PinholeCrypto
import PinholeModel

/// An exchange in full.
struct ExchangeDetailJSON: Encodable {
    /// One message.
    struct Message: Encodable {
        let head: String
        let bodyBytes: Int64
        let recordedBytes: Int64
        let isComplete: Bool
        let bodyBase64: String
        let trailers: String?

        init(_ record: MessageRecord, body: [UInt8]) {
            // Latin-1 keeps every byte (RFC 9112 §2.2).
            head = String(String.UnicodeScalarView(record.head.map { Unicode.Scalar($0) }))
            bodyBytes = record.body.length
            recordedBytes = record.body.capturedLength
            isComplete = record.body.isComplete
            bodyBase64 = Data(body).base64EncodedString()
            trailers =
                record.trailers.isEmpty
                ? nil : String(String.UnicodeScalarView(record.trailers.map { Unicode.Scalar($0) }))
        }
    }

    let exchange: ExchangeJSON
    let timings: [String: Double]
    let request: Message
    let response: Message?
    let flow: FlowDetailJSON?

    init(_ record: ExchangeRecord, request: [UInt8], response: [UInt8], flow: FlowRecord?) {
        exchange = ExchangeJSON(record)
        let moments = record.timings
        let durations: [String: Duration?] = [
            "queue": moments.blocked, "dns": moments.resolve, "connect": moments.connect, "tls": moments.tls,
            "firstByte": moments.responseStarted.map { $0 - moments.started },
            "total": moments.ended.map { $0 - moments.started },
        ]
        timings = durations.compactMapValues { $0.map { Double($0.microseconds) / 1000 } }
        self.request = Message(record.request, body: request)
        self.response = record.response.map { Message($0, body: response) }
        self.flow = flow.map(FlowDetailJSON.init)
    }
}

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

    let flow: FlowJSON
    let dials: [Dial]
    let clientHello: ClientHelloRecord?
    let client: Handshake?
    let server: Handshake?

    init(_ record: FlowRecord) {
        flow = FlowJSON(record)
        dials = record.dials.map(Dial.init)
        clientHello = record.clientHello
        client = record.clientHandshake.map(Handshake.init)
        server = record.serverHandshake.map(Handshake.init)
    }
}
