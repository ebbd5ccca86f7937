extension Alert {
    /// The description codes of alerts that decide something (RFC 8446 §6, RFC 6066 §9, RFC 7301 §3.2, RFC 9849 §5).
    package enum Code {
        /// `close_notify`.
        package static let closeNotify: UInt8 = 0
        /// `handshake_failure`.
        package static let handshakeFailure: UInt8 = 40
        /// `no_certificate`.
        package static let noCertificate: UInt8 = 41
        /// `bad_certificate`.
        package static let badCertificate: UInt8 = 42
        /// `certificate_expired`.
        package static let certificateExpired: UInt8 = 45
        /// `certificate_unknown`.
        package static let certificateUnknown: UInt8 = 46
        /// `illegal_parameter`.
        package static let illegalParameter: UInt8 = 47
        /// `unknown_ca`.
        package static let unknownCA: UInt8 = 48
        /// `access_denied`.
        package static let accessDenied: UInt8 = 49
        /// `decrypt_error`.
        package static let decryptError: UInt8 = 51
        /// `protocol_version`.
        package static let protocolVersion: UInt8 = 70
        /// `insufficient_security`.
        package static let insufficientSecurity: UInt8 = 71
        /// `internal_error`.
        package static let internalError: UInt8 = 80
        /// `user_canceled`.
        package static let userCanceled: UInt8 = 90
        /// `unrecognized_name`.
        package static let unrecognizedName: UInt8 = 112
        /// `bad_certificate_status_response`.
        package static let badCertificateStatusResponse: UInt8 = 113
        /// `certificate_required`.
        package static let certificateRequired: UInt8 = 116
        /// `no_application_protocol`.
        package static let noApplicationProtocol: UInt8 = 120
        /// `ech_required`.
        package static let echRequired: UInt8 = 121

        /// The alerts from handshake_failure to access_denied, most of which are about a certificate.
        package static let aboutCertificates = handshakeFailure...accessDenied
        /// The alerts that state a verdict about a certificate.
        package static let certificateVerdicts = Set(noCertificate...accessDenied)
            .subtracting([illegalParameter])
            .union([decryptError, badCertificateStatusResponse])
    }
}
