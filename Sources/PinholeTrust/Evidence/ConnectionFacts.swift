/// The result of a handshake, for mechanisms that check more than certificates (Apple's ATS).
package struct ConnectionFacts: Hashable, Sendable {
    /// The version, as OpenSSL names it: `TLSv1.3`.
    package var version: String?
    /// The cipher suite by its standard name.
    package var cipher: String?

    /// Creates facts.
    package init(version: String? = nil, cipher: String? = nil) {
        self.version = version
        self.cipher = cipher
    }
}
