extension Alert {
    /// The description codes of alerts that decide something (RFC 8446 §6, RFC 6066 §9, RFC 7301 §3.2, RFC 9849 §5).
    package enum Code {
        /// The peer sends nothing more (`close_notify`).
        package static let closeNotify: UInt8 = 0
        /// The peer finds no acceptable parameters (`handshake_failure`).
        package static let handshakeFailure: UInt8 = 40
        /// The peer has no certificate, in SSL 3.0 (`no_certificate`).
        package static let noCertificate: UInt8 = 41
        /// A certificate is broken or its signature is wrong (`bad_certificate`).
        package static let badCertificate: UInt8 = 42
        /// A certificate is outside of its dates (`certificate_expired`).
        package static let certificateExpired: UInt8 = 45
        /// A certificate is not acceptable for another reason (`certificate_unknown`).
        package static let certificateUnknown: UInt8 = 46
        /// A value is not allowed (`illegal_parameter`).
        package static let illegalParameter: UInt8 = 47
        /// The issuer is not known or not trusted (`unknown_ca`).
        package static let unknownCA: UInt8 = 48
        /// The certificate is valid, but access is refused (`access_denied`).
        package static let accessDenied: UInt8 = 49
        /// A signature or a check of the handshake failed (`decrypt_error`).
        package static let decryptError: UInt8 = 51
        /// The version is not supported (`protocol_version`).
        package static let protocolVersion: UInt8 = 70
        /// The server requires stronger parameters (`insufficient_security`).
        package static let insufficientSecurity: UInt8 = 71
        /// The peer failed for a reason of its own (`internal_error`).
        package static let internalError: UInt8 = 80
        /// The user ended the handshake (`user_canceled`).
        package static let userCanceled: UInt8 = 90
        /// The server knows no such name (`unrecognized_name`).
        package static let unrecognizedName: UInt8 = 112
        /// The stapled OCSP response is not acceptable (`bad_certificate_status_response`).
        package static let badCertificateStatusResponse: UInt8 = 113
        /// The server requires a client certificate (`certificate_required`).
        package static let certificateRequired: UInt8 = 116
        /// No offered protocol is supported (`no_application_protocol`).
        package static let noApplicationProtocol: UInt8 = 120
        /// The client insists on Encrypted Client Hello (`ech_required`).
        package static let echRequired: UInt8 = 121

        /// The alerts from handshake_failure to access_denied, most of which are about a certificate.
        package static let aboutCertificates = handshakeFailure...accessDenied
        /// The alerts that state a verdict about a certificate.
        package static let certificateVerdicts = Set(noCertificate...accessDenied)
            .subtracting([illegalParameter])
            .union([decryptError, badCertificateStatusResponse])
    }
}
