import PinholeModel

/// The proxy auto-configuration script (PAC file), which tells browsers and systems to use this proxy.
struct AutoConfiguration {
    /// The path of the script on the proxy.
    static let path = "/proxy.pac"

    /// The host and port under which the client reaches the proxy.
    let place: String

    /// Finds out under which address the client reaches the proxy.
    ///
    /// - Parameters:
    ///   - named: The authority in the request: the proxy itself, or its page `pinhole.test` through the proxy.
    ///   - listener: The address that the client connected to.
    init(named: Authority?, at listener: String) {
        guard let named, named.host != .name("pinhole.test"), named.description.utf8.allSatisfy(Self.isPlain)
        else {
            place = listener
            return
        }
        place = named.description
    }

    /// The answer with the script.
    ///
    /// Servers on the client's own machine, such as the console of the proxy, are reached directly.
    var answer: Answer {
        let text = """
            function FindProxyForURL(url, host) {
              if (host === "localhost" || host === "127.0.0.1" || host === "::1" || host === "[::1]") return "DIRECT";
              return "PROXY \(place)";
            }

            """
        return Answer(
            status: 200,
            fields: ErrorPage.fields(type: "application/x-ns-proxy-autoconfig"),
            body: Array(text.utf8),
            reason: "the proxy's automatic configuration"
        )
    }

    /// Whether a byte may occur in names, addresses and ports, and cannot end a string of the script.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x3a, 0x41...0x5b, 0x5d, 0x61...0x7a, 0x2d, 0x2e, 0x5f: true
        default: false
        }
    }
}
