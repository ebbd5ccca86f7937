package import PinholeModel

/// The host in a Host field, and the port if one is written (RFC 9110 §7.2).
package struct HostField: Sendable, Hashable {
    /// The host that the field names, without the port.
    package var host: Host
    /// The port; `nil` if none is written, which means the default port of the scheme.
    package var port: UInt16?

    /// Parses the value of a Host field.
    ///
    /// - Parameter value: The value, without the white space around it.
    /// - Throws: ``AddressFailure`` when the value is no authority; an empty value is none.
    package init(_ value: ArraySlice<UInt8>) throws(AddressFailure) {
        let text = String(decoding: value, as: UTF8.self)
        // The port 0 is invalid, so it can stand for “none was written”.
        let authority = try Authority(text, defaultPort: 0)
        host = authority.host
        port = authority.port == 0 ? nil : authority.port
    }

    /// The authority that the field denotes under `scheme`.
    package func authority(for scheme: Scheme) -> Authority {
        Authority(host: host, port: port ?? scheme.defaultPort)
    }
}
