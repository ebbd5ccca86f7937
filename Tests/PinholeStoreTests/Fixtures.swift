import Foundation
import PinholeLock
import PinholeModel
import PinholeStore

/// A directory that is removed with its value.
final class ScratchDirectory {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "/pinhole-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a capture in the directory.
    var capture: String { path + "/capture.sqlite" }
}

/// A moment that tests count from: 2026-01-02T03:04:05.678901Z.
let epoch = Timestamp(microseconds: 1_767_323_045_678_901)

extension ExchangeRecord {
    /// A finished exchange of a flow.
    static func sample(
        _ id: Int64,
        flow: Int64 = 1,
        authority: String = "example.com:443",
        method: String = "GET",
        path: String = "/",
        requestFields: String = "",
        requestBody: [UInt8] = [],
        responseHead: String = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n",
        responseBody: [UInt8] = Array("hello".utf8),
        after: Duration = .zero
    ) throws -> ExchangeRecord {
        let authority = try Authority(authority)
        let head =
            "\(method) \(path) HTTP/1.1\r\nHost: \(authority.text(defaultPort: 443))\r\n\(requestFields)\r\n"
        var record = ExchangeRecord(
            id: ExchangeID(rawValue: id),
            flow: FlowID(rawValue: flow),
            scheme: .https,
            authority: authority,
            method: method,
            path: path,
            request: MessageRecord(head: Array(head.utf8)),
            timings: ExchangeTimings(started: epoch + after)
        )
        record.request.body = .whole(requestBody)
        record.response = MessageRecord(head: Array(responseHead.utf8))
        record.response?.body = .whole(responseBody)
        record.status = Int(responseHead.split(separator: " ").dropFirst().first ?? "")
        record.timings.blocked = .microseconds(150)
        record.timings.requestEnded = epoch + after + .microseconds(1200)
        record.timings.responseStarted = epoch + after + .microseconds(4200)
        record.timings.ended = epoch + after + .microseconds(5200)
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
    /// A finished flow whose handshakes show `chain`.
    static func sample(_ id: Int64, chain: [[UInt8]] = [], after: Duration = .zero) -> FlowRecord {
        var flow = FlowRecord(
            id: FlowID(rawValue: id),
            opened: epoch + after,
            client: "127.0.0.1:50000",
            listener: "127.0.0.1:8080"
        )
        flow.authority = "example.com:443"
        flow.treatment = .intercepted
        flow.server = "192.0.2.7:443"
        flow.dials = [
            DialRecord(address: "192.0.2.7:443", started: epoch, duration: .microseconds(77), failure: nil)
        ]
        var handshake = HandshakeRecord(peer: .server, started: epoch + after, duration: .microseconds(900))
        handshake.version = "TLSv1.3"
        handshake.presentedChain = chain
        handshake.validatedChain = Array(chain.reversed())
        handshake.clientCertificate = chain.first
        flow.serverHandshake = handshake
        flow.closed = epoch + after + .seconds(1)
        flow.outcome = Outcome(.completed, detail: "both sides were done")
        return flow
    }

    /// A flow whose handshake with the client failed.
    static func failed(_ id: Int64) -> FlowRecord {
        var flow = sample(id)
        var handshake = HandshakeRecord(peer: .client, started: epoch, duration: .microseconds(900))
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

/// Collects what is reported from other threads.
final class Reports<Value: Sendable>: Sendable {
    private let values = Lock<[Value]>([])

    /// What was reported so far.
    var all: [Value] { values.withLock { $0 } }

    /// Adds a report.
    func add(_ value: Value) { values.withLock { $0.append(value) } }
}

/// Returns the store of a new capture with these events.
func recorded(_ events: [FlowEvent]) throws -> (ScratchDirectory, CaptureStore) {
    let scratch = try ScratchDirectory()
    let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
    store.record(events)
    store.flush()
    return (scratch, store)
}

/// Runs a program and returns what it printed.
func run(
    _ program: String,
    _ arguments: [String],
    input: [UInt8] = []
) throws -> (status: Int32, output: [UInt8]) {
    let scratch = try ScratchDirectory()
    let paths = ["in", "out"].map { scratch.path + "/" + $0 }
    try Data(input).write(to: URL(filePath: paths[0]))
    try Data().write(to: URL(filePath: paths[1]))
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardInput = FileHandle(forReadingAtPath: paths[0])
    process.standardOutput = FileHandle(forWritingAtPath: paths[1])
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return (process.terminationStatus, Array(FileManager.default.contents(atPath: paths[1]) ?? Data()))
}

extension TrafficSort.Key {
    /// The key of a field that one of the tables has.
    static func field(_ name: String) -> Self {
        NamedField.named(name).map(Self.named) ?? .comment
    }
}
