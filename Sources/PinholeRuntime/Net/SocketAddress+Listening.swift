package import PinholeModel

extension SocketAddress {
    /// Parses an address to listen on: `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`, or `8080` on loopback.
    ///
    /// With port 0 the kernel chooses a port.
    ///
    /// - Parameter text: The address and the port, or the port alone.
    /// - Throws: ``AddressFailure`` for anything else, such as a name that would have to be looked up.
    package init(listening text: String) throws(AddressFailure) {
        let expected = "ADDRESS:PORT such as 127.0.0.1:8080 or [::1]:8080, or PORT on loopback"
        let colon = text.lastIndex(of: ":")
        let digits = colon.map { text[text.index(after: $0)...] } ?? text[...]
        guard let port = UInt16(digits), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw AddressFailure(text, expected: expected)
        }
        var host = colon.map { text[..<$0] } ?? "localhost"
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
