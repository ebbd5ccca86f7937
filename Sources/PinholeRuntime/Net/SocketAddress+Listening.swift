package import PinholeModel

extension SocketAddress {
    /// Parses an address to listen on: `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`.
    ///
    /// With port 0 the kernel chooses a port.
    ///
    /// - Parameter text: The address and the port.
    /// - Throws: ``AddressFailure`` for anything else, such as a name that would have to be looked up.
    package init(listening text: String) throws(AddressFailure) {
        let expected = "ADDRESS:PORT such as 127.0.0.1:8080 or [::1]:8080"
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]),
            text[text.index(after: colon)...].utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { throw AddressFailure(text, expected: expected) }
        var host = text[..<colon]
        if host == "localhost" { host = "127.0.0.1" }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        guard let address = IPAddress(isBracketed ? host.dropFirst().dropLast() : host),
            address.isVersion6 == isBracketed
        else { throw AddressFailure(text, expected: expected) }
        self.init(address, port: port)
    }

    /// Whether other machines can connect to the address.
    package var isReachableFromOutside: Bool { address.isUnspecified || !address.isLoopback }
}
