import PinholeModel

/// The script by which browsers and systems find out that they are to use this proxy (a PAC file).
struct AutoConfiguration {
    /// Where it is.
    static let path = "/proxy.pac"

    /// Where the proxy is, as the client reaches it.
    let place: String

    /// Decides how the client reaches the proxy.
    ///
    /// - Parameters:
    ///   - named: Whom the request named: the proxy itself, or its own page through it.
    ///   - listener: The address that the client connected to.
    init(named: Authority?, at listener: String) {
        guard let named, named.host != .name("pinhole.test"), named.description.utf8.allSatisfy(Self.isPlain)
        else {
            place = listener
            return
        }
        place = named.description
    }

    /// The script: what is on the client's own machine is reached directly, the console of a proxy there, too.
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

    /// What stands in names, addresses and ports, and ends no text of the script.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x3a, 0x41...0x5b, 0x5d, 0x61...0x7a, 0x2d, 0x2e, 0x5f: true
        default: false
        }
    }
}
