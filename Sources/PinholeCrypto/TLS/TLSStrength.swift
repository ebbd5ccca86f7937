/// The weakest keys, signatures and ciphers that a connection may use.
package struct TLSStrength: Sendable, Equatable {
    /// OpenSSL's security level (0 to 5); `nil` for the default of the build.
    package var securityLevel: Int?
    /// The cipher suites up to TLS 1.2, in OpenSSL's notation; `nil` for the defaults of the build.
    package var cipherList: String?

    /// Creates a strength.
    package init(securityLevel: Int? = nil, cipherList: String? = nil) {
        self.securityLevel = securityLevel
        self.cipherList = cipherList
    }

    /// The defaults of the build.
    package static let standard = TLSStrength()

    /// No lower limit: everything that OpenSSL can do, such as TLS 1.0, SHA-1, keys of 512 bits.
    package static let none = TLSStrength(securityLevel: 0)

    /// Ciphers for which a server needs no certificate, so that anybody can pose as the server.
    package static let anonymous = TLSStrength(securityLevel: 0, cipherList: "aNULL:!eNULL")

    /// Ciphers that do not encrypt.
    package static let cleartext = TLSStrength(securityLevel: 0, cipherList: "eNULL:!aNULL")
}
