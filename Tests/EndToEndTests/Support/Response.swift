import Foundation

/// A response as a test reads it.
struct Response: Sendable, CustomStringConvertible {
    /// The status; 0 for none.
    var status: Int
    /// The head, byte for byte.
    var head: String
    /// The body, without chunks.
    var body: [UInt8] = []
    /// What stood behind the last chunk.
    var trailers = ""

    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }

    var description: String { head + text }

    /// The value of a field.
    func field(_ name: String) -> String? {
        head.components(separatedBy: "\r\n").dropFirst()
            .first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
            .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }
}

extension Connection {
    /// Reads a head, interim ones included.
    func readHead() throws -> Response {
        let head = String(decoding: try read(through: "\r\n\r\n"), as: UTF8.self)
        let words = head.split(separator: " ", maxSplits: 2)
        guard words.count >= 2, let status = Int(words[1].prefix(3)) else {
            throw ConnectionFailure.unreadable(head)
        }
        return Response(status: status, head: head)
    }

    /// Reads a final response with its body.
    func readResponse() throws -> Response {
        var response = try readHead()
        while (100..<200).contains(response.status), response.status != 101 { response = try readHead() }
        if [101, 204, 304].contains(response.status) { return response }
        if let text = response.field("content-length"), let count = Int(text) {
            response.body = try read(count)
        } else if response.field("transfer-encoding")?.lowercased() == "chunked" {
            try readChunks(into: &response)
        } else {
            response.body = try readToEnd()
        }
        return response
    }

    private func readChunks(into response: inout Response) throws {
        while true {
            let line = String(decoding: try read(through: "\r\n"), as: UTF8.self)
            let digits = line.prefix { $0.isHexDigit }
            guard let count = Int(digits, radix: 16) else { throw ConnectionFailure.unreadable(line) }
            guard count > 0 else { break }
            response.body += try read(count)
            _ = try read(2)
        }
        while true {
            let line = String(decoding: try read(through: "\r\n"), as: UTF8.self)
            if line == "\r\n" { return }
            response.trailers += line
        }
    }

    /// Asks the proxy for a tunnel.
    func connectTunnel(_ authority: String) throws {
        try send("CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
        let head = try readHead()
        guard head.status == 200 else {
            throw ConnectionFailure.unreadable("CONNECT was answered with \(head)")
        }
    }
}
