package import PinholeModel
package import PinholeRuntime
import PinholeSession
package import PinholeWire

/// The origin of a console's page: refuses requests that name another host, and those of pages of another origin.
package struct ConsoleOrigin: Sendable {
    private let scheme: Scheme
    private let names: [Authority]

    /// Creates the origin of a page on `address`.
    ///
    /// - Parameters:
    ///   - scheme: The scheme of the page.
    ///   - address: The address of the listener.
    ///   - hosts: Further names of this machine.
    package init(_ scheme: Scheme, _ address: SocketAddress, besides hosts: [Host] = []) {
        self.scheme = scheme
        let own: [Host] =
            [.address(address.address), .name("localhost")]
            + ["127.0.0.1", "::1"].compactMap { IPAddress($0) }.map { .address($0) }
        names = (own + hosts).map { Authority(host: $0, port: address.port) }
    }

    /// Refuses a request by its head; `nil` if the request may come from the page itself, or from no page.
    package func refusal(of head: RequestHead) -> ConsoleAnswer? {
        // A target in absolute-form is refused below; its Host must be right, too.
        guard let authority = head.authority(for: scheme), names.contains(authority), !head.hasForeignHost
        else {
            let name = head.host.map { _ in head.fields.first("host") ?? "" } ?? "nothing"
            var known: [String] = []
            for name in names.map({ $0.host.uriText }) where !known.contains(name) { known.append(name) }
            let last = known.popLast() ?? ""
            return Problem(
                421,
                "misdirected request",
                "expected Host to be \(known.joined(separator: ", ")) or \(last) with the port of the console, found \(name.prefix(100))"
            ).answer
        }
        guard case .origin = head.target else {
            return Problem(
                421,
                "misdirected request",
                "expected a path, as a server gets it: this is no proxy"
            ).answer
        }
        guard head.method != "GET" && head.method != "HEAD" || Self.isAPI(head) else { return nil }
        return foreignPage(head, authority)
    }

    /// Whether a request is for the API.
    ///
    /// The path is compared after decoding, as it is answered: /%61pi is /api.
    package static func isAPI(_ head: RequestHead) -> Bool { ConsoleRequest(head: head).path.first == "api" }

    /// Refuses a request that a page of another origin sends, since the browser may add the console's cookie to it.
    private func foreignPage(_ head: RequestHead, _ authority: Authority) -> ConsoleAnswer? {
        let origins = head.fields.all("origin")
        let sites = head.fields.all("sec-fetch-site")
        let own = ["\(authority)", authority.text(defaultPort: scheme.defaultPort)].map {
            "\(scheme.rawValue)://\($0)"
        }
        // Under Referrer-Policy: no-referrer, a form of the page itself is sent with the origin null.
        let isOwn = origins.allSatisfy { own.contains($0) || $0 == "null" && sites == ["same-origin"] }
        guard !isOwn || !sites.allSatisfy({ $0 == "same-origin" || $0 == "none" })
        else { return nil }
        return Problem(
            403,
            "foreign page",
            "expected a request from the console's own page or from no page; Origin: \(origins.first ?? "none"), "
                + "Sec-Fetch-Site: \(sites.first ?? "none")"
        ).answer
    }
}

extension RequestHead {
    /// Returns the values of the cookies with a name.
    package func cookies(_ name: String) -> [Substring] {
        fields.all("cookie").flatMap { $0.split(separator: ";") }.compactMap { pair in
            let pair = pair.drop { $0 == " " }
            return pair.hasPrefix("\(name)=") ? pair.dropFirst(name.count + 1) : nil
        }
    }
}
