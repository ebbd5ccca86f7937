public import PinholeModel
import PinholeTestKit

@testable import PinholeHTTP2

/// A client and a server that are joined by memory.
final class HTTP2Pair {
    let client: HTTP2Session
    let server: HTTP2Session
    /// The size of the pieces in which bytes cross.
    let chunk: Int
    var now = Timestamp(seconds: 1_000_000)

    init(
        chunk: Int = 4096,
        client: HTTP2Limits = HTTP2Limits(),
        server: HTTP2Limits = HTTP2Limits(),
        serverSettings: HTTP2Settings? = nil
    ) {
        self.chunk = chunk
        self.client = HTTP2Session(.client, limits: client)
        self.server = HTTP2Session(.server, settings: serverSettings, limits: server)
    }

    /// Carries bytes to and fro until both sides are silent.
    ///
    /// - Returns: What happened on the client and on the server.
    @discardableResult
    func settle() -> (client: [HTTP2Event], server: [HTTP2Event]) {
        var events: (client: [HTTP2Event], server: [HTTP2Event]) = ([], [])
        for _ in 0..<10_000 {
            let atServer = carry(from: client, to: server)
            let atClient = carry(from: server, to: client)
            events.server += atServer.events
            events.client += atClient.events
            if !atServer.moved, !atClient.moved { break }
        }
        return (Self.joined(events.client), Self.joined(events.server))
    }

    private func carry(
        from sender: HTTP2Session,
        to receiver: HTTP2Session
    ) -> (events: [HTTP2Event], moved: Bool) {
        var output = ByteQueue()
        sender.write(into: &output, limit: 1 << 20)
        let bytes = output.prefix()
        var events: [HTTP2Event] = []
        for piece in Chunking.chunks(of: bytes, size: chunk) {
            var input = ByteQueue(piece)
            while !input.isEmpty {
                receiver.receive(&input, at: now)
                while let event = receiver.nextEvent() { events.append(event) }
            }
        }
        while let event = receiver.nextEvent() { events.append(event) }
        return (events, !bytes.isEmpty)
    }

    /// Adds data events of one stream that follow each other, which is all that chunk sizes may change.
    static func joined(_ events: [HTTP2Event]) -> [HTTP2Event] {
        var joined: [HTTP2Event] = []
        for event in events {
            if case .data(let stream, let count) = event, case .data(stream, let before)? = joined.last {
                joined[joined.count - 1] = .data(stream, before + count)
            } else {
                joined.append(event)
            }
        }
        return joined
    }
}

extension HeaderFields: ExpressibleByDictionaryLiteral {
    /// Fields from pairs.
    public init(dictionaryLiteral pairs: (String, String)...) {
        self.init()
        for (name, value) in pairs { append(name, value) }
    }
}

extension HeaderFields {
    /// A request for `path` at `example.org`.
    static func get(_ path: String = "/", _ more: KeyValuePairs<String, String> = [:]) -> HeaderFields {
        var fields =
            [
                ":method": "GET", ":scheme": "https", ":authority": "example.org", ":path": path,
            ] as HeaderFields
        for (name, value) in more { fields.append(name, value) }
        return fields
    }

    /// A request with a body.
    static func post(_ path: String = "/", _ more: KeyValuePairs<String, String> = [:]) -> HeaderFields {
        var fields =
            [
                ":method": "POST", ":scheme": "https", ":authority": "example.org", ":path": path,
            ] as HeaderFields
        for (name, value) in more { fields.append(name, value) }
        return fields
    }

    /// A response.
    static func status(_ status: Int, _ more: KeyValuePairs<String, String> = [:]) -> HeaderFields {
        var fields = [":status": "\(status)"] as HeaderFields
        for (name, value) in more { fields.append(name, value) }
        return fields
    }
}

extension HTTP2Session {
    /// Moves everything that waits on `stream` out, and releases it.
    func drain(_ stream: HTTP2StreamID) -> [UInt8] {
        var bytes = ByteQueue()
        let count = take(from: stream, into: &bytes)
        release(count, on: stream)
        return bytes.prefix()
    }

    /// Sends `text` on `stream`.
    func send(_ text: String, on stream: HTTP2StreamID) {
        var bytes = ByteQueue(text.utf8)
        send(bytes.count, from: &bytes, on: stream)
    }
}
