/// How weak the keys, the signatures and the ciphers of a connection may be.
package struct TLSStrength: Sendable, Equatable {
    /// OpenSSL's security level (0 to 5); `nil` for that of the build.
    package var securityLevel: Int?
    /// The cipher suites up to TLS 1.2, in OpenSSL's notation; `nil` for those of the build.
    package var cipherList: String?

    /// Creates a strength.
    package init(securityLevel: Int? = nil, cipherList: String? = nil) {
        self.securityLevel = securityLevel
        self.cipherList = cipherList
    }

    /// That of the build.
    package static let standard = TLSStrength()

    /// Everything goes that OpenSSL can do: TLS 1.0, SHA-1, keys of 512 bits.
    package static let none = TLSStrength(securityLevel: 0)

    /// Ciphers for which a server needs no certificate, so that anybody can be it.
    package static let anonymous = TLSStrength(securityLevel: 0, cipherList: "aNULL:!eNULL")

    /// Ciphers that do not encrypt.
    package static let cleartext = TLSStrength(securityLevel: 0, cipherList: "eNULL:!aNULL")
}
