import Foundation
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
