import Foundation
import PinholeClass
import PinholeLock
import PinholeModel
import PinholeStore
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeConsole

/// A capture in a directory of its own, and the API that shows it.
final class ConsoleStage: Sendable {
    /// 2026-01-02T03:04:05Z.
    static let epoch = Timestamp(seconds: 1_767_323_045)
    /// Every path of the API, with those of the lessons.
    static let routes = ConsoleRoute.all + ClassAPI(nil).routes

    let directory: TemporaryDirectory
    let store: CaptureStore
    let api: ConsoleAPI

    /// Creates a stage; `events` are recorded before anybody asks.
    init(
        _ events: [FlowEvent] = [],
        knowsStore: Bool = false,
        change: (inout ConsoleSubject) -> Void = { _ in }
    ) throws {
        directory = try TemporaryDirectory()
        let path = directory.file("capture.sqlite")
        store = try CaptureStore.open(.init(path: path), now: Self.epoch)
        store.record(events)
        store.flush()
        var subject = ConsoleSubject(capture: path, started: Self.epoch)
        if knowsStore { subject.store = store }
        subject.routes = ClassAPI(nil).routes
        change(&subject)
        api = try ConsoleAPI(subject, limits: ConsoleLimits())
    }

    deinit { store.close() }

    /// An answer, read to its end or to its first pause.
    struct Reply {
        let status: Int
        let fields: [(name: String, value: String)]
        let body: [UInt8]
        let sequel: BodyPiece.Sequel

        var text: String { String(decoding: body, as: UTF8.self) }

        subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }

        /// The body as JSON.
        func json() throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
        }
    }

    private static let description = Lock<APIDescription?>(nil)

    /// Asks the API, and compares the response with the description of the API.
    func ask(
        _ method: String = "GET",
        _ target: String,
        _ body: String = "",
        fields: [(String, String)] = [],
        at place: SourceLocation = #_sourceLocation
    ) async -> Reply {
        let reply = await answer(method, target, body, fields: fields)
        do {
            let known = Self.description.withLock { $0 }
            let description: APIDescription
            if let known {
                description = known
            } else {
                description = try APIDescription(await answer("GET", "/api/openapi.json").body)
                Self.description.withLock { $0 = description }
            }
            let path = String(target.prefix { $0 != "?" })
            for fault in description.faults(method, path, reply) {
                Issue.record(Comment(rawValue: fault), sourceLocation: place)
            }
        } catch {
            Issue.record(error, sourceLocation: place)
        }
        return reply
    }

    private func answer(
        _ method: String,
        _ target: String,
        _ body: String = "",
        fields: [(String, String)] = []
    ) async -> Reply {
        let answer = await withCheckedContinuation { continuation in
            api.answer(Self.request(method, target, body, fields: fields)) {
                continuation.resume(returning: $0)
            }
        }
        switch answer.body {
        case .bytes(let bytes):
            return Reply(status: answer.status, fields: answer.fields, body: bytes, sequel: .end)
        case .source(let source, _):
            var bytes: [UInt8] = []
            while true {
                let piece = await Self.next(source)
                bytes += piece.bytes
                guard piece.sequel == .next else {
                    return Reply(
                        status: answer.status,
                        fields: answer.fields,
                        body: bytes,
                        sequel: piece.sequel
                    )
                }
            }
        }
    }

    static func next(_ source: any BodySource) async -> BodyPiece {
        await withCheckedContinuation { continuation in source.next { continuation.resume(returning: $0) } }
    }

    static func request(
        _ method: String,
        _ target: String,
        _ body: String = "",
        fields: [(String, String)] = []
    ) -> ConsoleRequest {
        var lines = HeaderFields()
        for (name, value) in [("Host", "127.0.0.1:8081")] + fields { lines.append(name, value) }
        let head = RequestHead(method: method, target: .origin(target), fields: lines)
        return ConsoleRequest(head: head, body: Array(body.utf8))
    }
}

extension ExchangeRecord {
    /// An exchange; finished unless `status` is `nil`.
    static func sample(
        _ id: Int64,
        flow: Int64 = 1,
        host: String = "example.com:443",
        method: String = "GET",
        path: String = "/",
        status: Int? = 200,
        type: String = "text/plain",
        fields: String = "",
        requestBody: [UInt8] = [],
        body: [UInt8] = Array("hello".utf8),
        started: Timestamp = ConsoleStage.epoch
    ) throws -> ExchangeRecord {
        var record = ExchangeRecord(
            id: ExchangeID(rawValue: id),
            flow: FlowID(rawValue: flow),
            scheme: .https,
            authority: try Authority(host),
            method: method,
            path: path,
            request: MessageRecord(head: Array("\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8)),
            timings: ExchangeTimings(started: started)
        )
        record.request.body = .whole(requestBody)
        guard let status else { return record }
        let head = "HTTP/1.1 \(status) OK\r\nContent-Type: \(type)\r\n\(fields)\r\n"
        record.response = MessageRecord(head: Array(head.utf8))
        record.response?.body = .whole(body)
        record.status = status
        record.timings.ended = started + .milliseconds(5)
        record.outcome = .completed
        return record
    }
}

extension BodyRecord {
    /// A body that was captured whole in its record.
    static func whole(_ bytes: [UInt8]) -> BodyRecord {
        var body = BodyRecord()
        body.inline = bytes
        body.length = Int64(bytes.count)
        body.capturedLength = Int64(bytes.count)
        body.isComplete = true
        return body
    }
}

extension FlowRecord {
    /// A flow that was relayed unread, or whose client's handshake failed.
    static func sample(
        _ id: Int64,
        failed: Bool = false,
        treatment: Treatment = .intercepted,
        closed: Timestamp = ConsoleStage.epoch + .seconds(1)
    ) -> FlowRecord {
        var flow = FlowRecord(
            id: FlowID(rawValue: id),
            opened: ConsoleStage.epoch,
            client: "127.0.0.1:50000",
            listener: "127.0.0.1:8080"
        )
        flow.authority = "pinned.example:443"
        flow.treatment = treatment
        flow.closed = closed
        flow.outcome = Outcome(.completed, detail: "both sides were done")
        guard failed else { return flow }
        var handshake = HandshakeRecord(
            peer: .client,
            started: ConsoleStage.epoch,
            duration: .milliseconds(1)
        )
        handshake.failure = HandshakeFailure(
            .authorityNotTrusted,
            isHint: false,
            endedBy: .client,
            alert: Alert(code: 48),
            detail: "The client does not trust the CA."
        )
        flow.clientHandshake = handshake
        flow.outcome = Outcome(.handshakeFailed, fault: .client, detail: "unknown_ca")
        return flow
    }
}
