import PinholeModel
import PinholeWire

/// Writes the requests of a fetch.
struct FetchRequestWriter {
    private let request: ClientRequest
    /// Whether the target is a whole URL, as a proxy for plain HTTP needs it.
    let isAbsolute: Bool

    init(_ request: ClientRequest, isProxied: Bool) {
        self.request = request
        isAbsolute = isProxied && request.url.scheme == .http
    }

    /// The target, as in the request line.
    var target: String { isAbsolute ? request.url.description : request.url.target }

    /// Makes the bytes of the request for HTTP/1.1.
    ///
    /// - Parameters:
    ///   - authorization: The value of Authorization; `nil` for none.
    ///   - proxyAuthorization: The value of Proxy-Authorization; `nil` for none.
    /// - Returns: Head and body.
    /// - Throws: ``ClientFailure`` if a field cannot be sent.
    func bytes(
        authorization: [UInt8]?,
        proxyAuthorization: [UInt8]?
    ) throws(ClientFailure) -> ByteQueue {
        var output = try Self.write(head(authorization), target: target, proxyAuthorization)
        output.append(request.body)
        return output
    }

    /// Makes the head of the request for a server that speaks HTTP/2.
    ///
    /// - Parameter authorization: The value of Authorization; `nil` for none.
    /// - Returns: The head; its authority is that of the request's own Host, if it has one.
    /// - Throws: ``ClientFailure`` if a field cannot be sent.
    func streamHead(authorization: [UInt8]?) throws(ClientFailure) -> RequestHead {
        let head = head(authorization)
        guard let authority = head.authority(for: request.url.scheme) else {
            throw ClientFailure(
                .badURL,
                check: "request",
                "the request cannot be sent: expected a host in its Host header, with or without a port"
            )
        }
        return head.http2(scheme: request.url.scheme, authority: authority)
    }

    private func head(_ authorization: [UInt8]?) -> RequestHead {
        var fields = HeaderFields()
        for field in self.fields(authorization) { fields.append(field.name, field.value) }
        return RequestHead(
            method: request.method,
            target: .origin(request.url.target),
            fields: fields,
            framing: statesLength ? .length(Int64(request.body.count)) : .none
        )
    }

    /// The request that asks a proxy for a tunnel.
    static func connect(
        to authority: Authority,
        proxyAuthorization: [UInt8]?
    ) throws(ClientFailure) -> ByteQueue {
        var fields = HeaderFields()
        fields.append("Host", authority.description)
        fields.append("User-Agent", agent)
        let head = RequestHead(method: "CONNECT", target: .authority(authority), fields: fields)
        return try write(head, target: nil, proxyAuthorization)
    }

    /// The fields as a story shows them.
    func shownFields(authorization: [UInt8]?, proxyAuthorization: [UInt8]?) -> [String] {
        var fields = fields(authorization)
        if let proxyAuthorization { fields.append(("Proxy-Authorization", proxyAuthorization)) }
        return fields.map { ShownField.text(name: $0.name, value: String(decoding: $0.value, as: UTF8.self)) }
    }

    static let agent = "pinhole"

    /// Whether a Content-Length is written: for an empty body only if a request is repeated whose method usually has
    /// one.
    private var statesLength: Bool {
        !request.body.isEmpty
            || !request.addsOwnFields && ["POST", "PUT", "PATCH"].contains(request.method)
    }

    private func fields(_ authorization: [UInt8]?) -> [(name: String, value: [UInt8])] {
        let url = request.url
        let host = url.authority.text(defaultPort: url.scheme.defaultPort)
        var fields = [(name: "Host", value: Array(host.utf8))]
        if request.addsOwnFields {
            fields.append((name: "User-Agent", value: Array(Self.agent.utf8)))
            fields.append((name: "Accept", value: Array("*/*".utf8)))
        }
        let own = Set(request.fields.map { $0.name.lowercased() })
        fields.removeAll { own.contains($0.name.lowercased()) }
        for field in request.fields where authorization == nil || field.name.lowercased() != "authorization" {
            fields.append((name: field.name, value: Array(field.value.utf8)))
        }
        if let authorization { fields.append((name: "Authorization", value: authorization)) }
        if statesLength {
            fields.append((name: "Content-Length", value: Array("\(request.body.count)".utf8)))
        }
        return fields
    }

    private static func write(
        _ head: RequestHead,
        target: String?,
        _ proxyAuthorization: [UInt8]?
    ) throws(ClientFailure) -> ByteQueue {
        var output = ByteQueue()
        do throws(HTTP1Failure) {
            try HTTP1Writer.write(request: head, target: target, into: &output)
        } catch {
            throw ClientFailure(.badURL, check: "request", "the request cannot be sent: \(error)")
        }
        guard let proxyAuthorization else { return output }
        // The writer is the proxy's, which drops this field; here the field is meant for the proxy before the server.
        var bytes = output.prefix(output.count - 2)
        bytes += Array("Proxy-Authorization: ".utf8) + proxyAuthorization + Array("\r\n\r\n".utf8)
        return ByteQueue(bytes)
    }
}
