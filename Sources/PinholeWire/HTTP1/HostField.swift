package import PinholeModel

/// What a Host field says: the host, and the port where one is written (RFC 9110 §7.2).
package struct HostField: Sendable, Hashable {
    /// The host.
    package var host: Host
    /// The port; `nil` where none is written, so that the scheme's own is meant.
    package var port: UInt16?

    /// Creates a field from its parts.
    package init(host: Host, port: UInt16?) {
        self.host = host
        self.port = port
    }

    /// Parses the value of a Host field.
    ///
    /// - Parameter value: The value, without the white space around it.
    /// - Throws: ``AddressFailure`` when it is no authority; an empty value is none.
    package init(_ value: ArraySlice<UInt8>) throws(AddressFailure) {
        let text = String(decoding: value, as: UTF8.self)
        // No valid port is 0, so the default tells whether one was written.
        let authority = try Authority(text, defaultPort: 0)
        host = authority.host
        port = authority.port == 0 ? nil : authority.port
    }

    /// The authority that is meant under `scheme`.
    package func authority(for scheme: Scheme) -> Authority {
        Authority(host: host, port: port ?? scheme.defaultPort)
    }
}
