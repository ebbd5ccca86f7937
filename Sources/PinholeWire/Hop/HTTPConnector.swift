package import PinholeModel

/// Asks an HTTP proxy for a tunnel with CONNECT (RFC 9110 §9.3.6): bytes in and bytes out, until the tunnel is open.
package final class HTTPConnector {
    private let authority: Authority
    private let authorization: String?
    private let via: String?
    private var reader: HTTP1Reader
    private var isOpen = false

    /// Creates a connector.
    ///
    /// - Parameters:
    ///   - authority: The server to reach.
    ///   - authorization: The value of Proxy-Authorization; `nil` for none.
    ///   - via: The value of Via, by which a proxy recognises its own request in a loop; `nil` for none.
    ///   - limits: The limits for the head of the answer.
    package init(
        to authority: Authority,
        authorization: String? = nil,
        via: String? = nil,
        limits: Limits
    ) {
        self.authority = authority
        self.authorization = authorization
        self.via = via
        reader = HTTP1Reader(reading: .responses, limits: limits)
        reader.expectResponse(toMethod: "CONNECT")
    }

    /// The bytes to send first.
    package var request: [UInt8] {
        var text = "CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n"
        if let authorization { text += "Proxy-Authorization: \(authorization)\r\n" }
        if let via { text += "Via: \(via)\r\n" }
        return Array((text + "\r\n").utf8)
    }

    /// Reads the answer.
    ///
    /// - Parameter input: The bytes of the proxy. The answer's head is consumed; the bytes after it come from
    ///   the server.
    /// - Returns: Whether the tunnel is open; otherwise more bytes are needed.
    /// - Throws: ``HopRefusal`` when the proxy refuses the tunnel.
    package func next(_ input: inout ByteQueue) throws(HopRefusal) -> Bool {
        while !isOpen {
            guard let element = try read(&input) else { return false }
            guard case .response(let head) = element, !head.isInformational else { continue }
            try judge(head)
            isOpen = true
        }
        return true
    }

    private func read(_ input: inout ByteQueue) throws(HopRefusal) -> HTTP1Element? {
        do throws(HTTP1Failure) {
            return try reader.next(&input)
        } catch {
            throw HopRefusal(.malformed, "its response is not HTTP: \(error.detail)")
        }
    }

    private func judge(_ head: ResponseHead) throws(HopRefusal) {
        guard !(200...299).contains(head.status) else { return }
        guard head.status == 407 else {
            let kind: HopRefusal.Kind = head.status == 508 ? .loop : .refused
            throw HopRefusal(kind, "it answered \(head.status) \(head.reason)")
        }
        let schemes = head.fields.all("proxy-authenticate").compactMap { $0.split(separator: " ").first }
        let wanted = schemes.isEmpty ? "" : "; it asks for \(schemes.joined(separator: ", "))"
        throw HopRefusal(
            .authentication,
            authorization == nil
                ? "it wants credentials (407)\(wanted)"
                : "it refuses the credentials that are configured (407)\(wanted)"
        )
    }
}
