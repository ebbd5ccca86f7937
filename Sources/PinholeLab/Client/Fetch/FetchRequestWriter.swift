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

    /// The target as it stands in the request line.
    var target: String { isAbsolute ? request.url.description : request.url.target }

    /// The request.
    ///
    /// - Parameters:
    ///   - authorization: The value of Authorization; `nil` for none.
    ///   - proxyAuthorization: The value of Proxy-Authorization; `nil` for none.
    /// - Returns: Head and body.
    /// - Throws: ``ClientFailure`` where a field cannot be sent.
    func bytes(
        authorization: String?,
        proxyAuthorization: String?
    ) throws(ClientFailure) -> ByteQueue {
        var fields = HeaderFields()
        for field in self.fields(authorization) { fields.append(field.name, field.value) }
        let head = RequestHead(
            method: request.method,
            target: .origin(request.url.target),
            fields: fields,
            framing: request.body.isEmpty ? .none : .length(Int64(request.body.count))
        )
        var output = try Self.write(head, target: target, proxyAuthorization)
        output.append(request.body)
        return output
    }

    /// The request that asks a proxy for a tunnel.
    static func connect(
        to authority: Authority,
        proxyAuthorization: String?
    ) throws(ClientFailure) -> ByteQueue {
        var fields = HeaderFields()
        fields.append("Host", authority.description)
        fields.append("User-Agent", agent)
        let head = RequestHead(method: "CONNECT", target: .authority(authority), fields: fields)
        return try write(head, target: nil, proxyAuthorization)
    }

    /// The fields as a story shows them.
    func shownFields(authorization: String?, proxyAuthorization: String?) -> [String] {
        var fields = fields(authorization)
        if let proxyAuthorization { fields.append(("Proxy-Authorization", proxyAuthorization)) }
        return fields.map(ShownField.text)
    }

    static let agent = "pinhole"

    private func fields(_ authorization: String?) -> [(name: String, value: String)] {
        let url = request.url
        var fields = [
            (name: "Host", value: url.authority.text(defaultPort: url.scheme.defaultPort)),
            (name: "User-Agent", value: Self.agent), (name: "Accept", value: "*/*"),
        ]
        let own = Set(request.fields.map { $0.name.lowercased() })
        fields.removeAll { own.contains($0.name.lowercased()) }
        fields += request.fields.filter { authorization == nil || $0.name.lowercased() != "authorization" }
        if let authorization { fields.append((name: "Authorization", value: authorization)) }
        if !request.body.isEmpty { fields.append((name: "Content-Length", value: "\(request.body.count)")) }
        return fields
    }

    private static func write(
        _ head: RequestHead,
        target: String?,
        _ proxyAuthorization: String?
    ) throws(ClientFailure) -> ByteQueue {
        var output = ByteQueue()
        do throws(HTTP1Failure) {
            try HTTP1Writer.write(request: head, target: target, into: &output)
        } catch {
            throw ClientFailure(.badURL, check: "request", "the request cannot be sent: \(error)")
        }
        guard let proxyAuthorization else { return output }
        // The writer is a proxy's own and drops this field; it stands between us and the next proxy.
        var bytes = output.prefix(output.count - 2)
        bytes += Array("Proxy-Authorization: \(proxyAuthorization)\r\n\r\n".utf8)
        return ByteQueue(bytes)
    }
}
