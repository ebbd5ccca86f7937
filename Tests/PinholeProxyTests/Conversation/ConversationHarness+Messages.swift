import PinholeHTTP2
public import PinholeModel
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeProxy

extension HeaderFields: ExpressibleByDictionaryLiteral {
    /// Fields from pairs.
    public init(dictionaryLiteral pairs: (String, String)...) {
        self.init()
        for (name, value) in pairs { append(name, value) }
    }

    /// The same fields with names as HTTP/2 has them.
    var lowercased: HeaderFields {
        pairs.reduce(into: [:]) { $0.append($1.name.lowercased(), $1.value) }
    }

    /// The head of a request of HTTP/2.
    static func request(
        _ path: String = "/",
        _ method: String = "GET",
        scheme: String = "http",
        _ more: KeyValuePairs<String, String> = [:]
    ) -> HeaderFields {
        var fields: HeaderFields = [
            ":method": method, ":scheme": scheme, ":authority": "www.example.com:443", ":path": path,
        ]
        for (name, value) in more { fields.append(name, value) }
        return fields
    }
}

/// The versions of HTTP that both sides of a conversation speak.
struct VersionPair: Sendable, Equatable, CustomTestStringConvertible {
    let client: HTTP2Session.Role?
    let server: HTTP2Session.Role?

    static let all = [
        VersionPair(client: nil, server: nil), VersionPair(client: nil, server: .server),
        VersionPair(client: .client, server: nil), VersionPair(client: .client, server: .server),
    ]

    var isHTTP1: Bool { client == nil && server == nil }
    var testDescription: String {
        "HTTP/\(client == nil ? 1 : 2) to HTTP/\(server == nil ? 1 : 2)"
    }
}

/// A message as a peer got it, in either version.
struct HeardMessage {
    var status: Int?
    /// The method and the path of a request.
    var target = ""
    var fields = HeaderFields()
    var body = ""
    var trailers = HeaderFields()
    var isComplete = false
    /// The statuses that came before.
    var interim: [Int] = []
}

extension ConversationHarness.Peer {
    /// A server of HTTP/2 that answers each request when its head is there, or when all of it is.
    static func server(
        atEnd: Bool = false,
        _ answer: @escaping (ConversationHarness.Peer, HTTP2StreamID, HeaderFields) throws -> Void
    ) -> ConversationHarness.Peer {
        let server = ConversationHarness.Peer(.server)
        server.react = { server, event in
            switch event {
            case .request(let stream, _, _) where !atEnd, .ended(let stream) where atEnd:
                #expect(throws: Never.self) { try answer(server, stream, server.heads[stream] ?? [:]) }
            default: break
            }
        }
        return server
    }

    /// Sends a response of HTTP/2; it stays open if `ends` is false.
    func respond(
        _ head: HeaderFields = [":status": "200"],
        _ body: some Sequence<UInt8> = [],
        trailers: HeaderFields? = nil,
        ends: Bool = true,
        on stream: HTTP2StreamID
    ) throws {
        let body = Array(body)
        let isWhole = ends && body.isEmpty && trailers == nil
        try session?.respond(head, on: stream, endsStream: isWhole)
        guard !isWhole else { return }
        send(body, on: stream)
        if ends { try session?.finish(stream, trailers: trailers) }
    }

    /// Sends bytes in a stream.
    func send(_ bytes: some Sequence<UInt8>, on stream: HTTP2StreamID) {
        var queue = ByteQueue(Array(bytes))
        session?.send(queue.count, from: &queue, on: stream)
    }

    func status(_ stream: HTTP2StreamID) -> String? { heads[stream]?.first(":status") }

    /// The codes with which the other side has reset streams.
    var resets: [HTTP2ErrorCode] {
        events.compactMap { if case .reset(_, let code, .peer, _) = $0 { code } else { nil } }
    }

    /// The latest message that came.
    ///
    /// - Parameters:
    ///   - stream: The stream; `nil` if this side speaks HTTP/1.
    ///   - kind: What this side reads.
    ///   - methods: The methods that responses of HTTP/1 answer.
    /// - Returns: The message, as far as it came; `nil` before its head.
    /// - Throws: What HTTP/1 says of bytes that are no message.
    func heard(
        on stream: HTTP2StreamID?,
        _ kind: HTTP1Reader.Kind,
        methods: [String] = []
    ) throws -> HeardMessage? {
        guard let stream else { return try heardText(kind, methods) }
        guard let head = heads[stream] else { return nil }
        var message = HeardMessage(fields: head)
        message.status = head.first(":status").flatMap(Int.init)
        message.target = "\(head.first(":method") ?? "") \(head.first(":path") ?? "")"
        message.body = String(decoding: bodies[stream] ?? [], as: UTF8.self)
        for event in events {
            switch event {
            case .trailers(stream, let fields): message.trailers = fields
            case .informational(stream, let fields):
                message.interim.append(fields.first(":status").flatMap(Int.init) ?? 0)
            case .ended(stream), .request(stream, _, true), .response(stream, _, true):
                message.isComplete = true
            default: break
            }
        }
        return message
    }

    private func heardText(_ kind: HTTP1Reader.Kind, _ methods: [String]) throws -> HeardMessage? {
        var reader = HTTP1Reader(reading: kind, limits: Limits())
        var methods = methods[...]
        var input = ByteQueue(Array(text.utf8))
        var (message, interim): (HeardMessage?, [Int]) = (nil, [])
        reader.expectResponse(toMethod: methods.popFirst() ?? "GET")
        while let element = try reader.next(&input) {
            switch element {
            case .request(let head):
                message = HeardMessage(target: "\(head.method) \(head.rawTarget)", fields: head.fields)
            case .response(let head) where head.isInformational: interim.append(head.status)
            case .response(let head):
                message = HeardMessage(status: head.status, fields: head.fields, interim: interim)
            case .body(let count):
                message?.body += String(decoding: input.prefix(count), as: UTF8.self)
                input.consume(count)
            case .framing(let count), .reframed(let count, _): input.consume(count)
            case .trailers(_, let fields): message?.trailers = fields
            case .end:
                message?.isComplete = true
                interim = []
                reader.expectResponse(toMethod: methods.popFirst() ?? "GET")
            }
        }
        return message
    }
}

extension ConversationHarness {
    convenience init(
        _ pair: VersionPair,
        server: Peer? = nil,
        _ change: (inout ProxyPolicy) -> Void = { _ in }
    ) throws {
        try self.init(client: pair.client, server: server ?? Peer(pair.server), change)
    }

    /// Sends a request, or its beginning, in the client's version.
    ///
    /// - Returns: The stream; `nil` for a client of HTTP/1.
    @discardableResult
    func ask(
        _ method: String = "GET",
        _ path: String = "/a",
        _ fields: KeyValuePairs<String, String> = [:],
        body: [String] = [],
        framing: BodyFraming = .none,
        trailers: HeaderFields? = nil,
        ends: Bool = true
    ) throws -> HTTP2StreamID? {
        defer { pump() }
        asked.append(method)
        guard let session = client.session else {
            client.sent.append("\(method) \(path) HTTP/1.1\r\nHost: www.example.com:443\r\n")
            client.sendHTTP1(fields, body, framing, trailers, ends: ends)
            return nil
        }
        var head = HeaderFields.request(path, method)
        for (name, value) in fields { head.append(name.lowercased(), value) }
        if case .length(let length) = framing { head.append("content-length", "\(length)") }
        let stream = try session.request(head, endsStream: !framing.hasBody)
        guard framing.hasBody else { return stream }
        for piece in body { client.send(piece.utf8, on: stream) }
        if ends { try session.finish(stream, trailers: trailers?.lowercased) }
        return stream
    }

    /// Answers the latest request, or begins to, in the version of its server.
    func answer(
        _ status: String = "200 OK",
        _ fields: KeyValuePairs<String, String> = [:],
        body: [String] = [],
        framing: BodyFraming = .none,
        trailers: HeaderFields? = nil,
        ends: Bool = true
    ) throws {
        defer { pump() }
        let server = try #require(servers.max { $0.key < $1.key }?.value)
        guard server.session != nil else {
            server.sent.append("HTTP/1.1 \(status)\r\n")
            return server.sendHTTP1(fields, body, framing, trailers, ends: ends)
        }
        var head: HeaderFields = [":status": String(status.prefix(3))]
        for (name, value) in fields { head.append(name.lowercased(), value) }
        if case .length(let length) = framing { head.append("content-length", "\(length)") }
        let stream = try #require(server.heads.keys.max { $0.rawValue < $1.rawValue })
        try server.respond(head, body.joined().utf8, trailers: trailers?.lowercased, ends: ends, on: stream)
    }

    /// Sends the rest of the body of the latest response.
    func goOn(_ rest: String) throws {
        defer { pump() }
        let server = try #require(servers.max { $0.key < $1.key }?.value)
        guard let session = server.session else { return server.sent.append(rest) }
        let stream = try #require(server.heads.keys.max { $0.rawValue < $1.rawValue })
        server.send(rest.utf8, on: stream)
        try session.finish(stream)
    }

    /// The request as the latest server got it, and its response as the client did, as far as they came.
    func request() throws -> HeardMessage? {
        guard let server = servers.max(by: { $0.key < $1.key })?.value else { return nil }
        let stream = server.session == nil ? nil : server.heads.keys.max { $0.rawValue < $1.rawValue }
        guard server.session == nil || stream != nil else { return nil }
        return try server.heard(on: stream, .requests)
    }

    func response(_ stream: HTTP2StreamID?) throws -> HeardMessage? {
        try client.heard(on: stream, .responses, methods: asked)
    }
}

extension ConversationHarness.Peer {
    /// Sends the rest of a message of HTTP/1 behind its first line; the first chunk has an extension.
    fileprivate func sendHTTP1(
        _ fields: KeyValuePairs<String, String>,
        _ body: [String],
        _ framing: BodyFraming,
        _ trailers: HeaderFields?,
        ends: Bool
    ) {
        for (name, value) in fields { sent.append("\(name): \(value)\r\n") }
        switch framing {
        case .none, .untilClose: sent.append("\r\n" + body.joined())
        case .length(let length): sent.append("Content-Length: \(length)\r\n\r\n" + body.joined())
        case .chunked:
            sent.append("Transfer-Encoding: chunked\r\n\r\n")
            for (number, piece) in body.enumerated() { sendChunk(piece, number == 0 ? ";x" : "") }
            guard ends else { return }
            sent.append("0\r\n")
            for (name, value) in trailers?.pairs ?? [] { sent.append("\(name): \(value)\r\n") }
            sent.append("\r\n")
        }
    }

    func sendChunk(_ piece: String, _ extension: String = "") {
        sent.append("\(String(piece.utf8.count, radix: 16))\(`extension`)\r\n\(piece)\r\n")
    }
}
