/// The codes of errors in TLS that Apple's Secure Transport reports (`SecureTransport.h`).
enum SecureTransportCode {
    static let protocolError = -9800
    static let fatalAlert = -9802
    static let invalidChain = -9807
    static let badCertificate = -9808
    static let unknownRoot = -9812
    static let expired = -9814
    static let notYetValid = -9815
    static let peerHandshakeFailure = -9824
    static let peerBadCertificate = -9825
    static let peerCertificateUnknown = -9829
    static let peerProtocolVersion = -9836
    static let hostNameMismatch = -9843
}
