import Foundation
import Glibc
import PinholeTestKit
import Testing

/// A request that curl has to send again; PORT stands for the listener's port.
struct CurlCase: Sendable, CustomTestStringConvertible {
    let head: String
    let body: [UInt8]
    /// The body as it is on the wire, where it is chunked.
    let wireBody: String

    var testDescription: String { String(head.prefix { $0 != "\r\n" }) }

    init(_ head: String, body: String = "", wireBody: String? = nil) {
        self.head = head.replacing("\n", with: "\r\n") + "\r\n"
        self.body = Array(body.utf8)
        self.wireBody = wireBody ?? body
    }

    static let all = [
        CurlCase("GET /a/../b?x=[1]&y={2}&z=%41 HTTP/1.1\nHost: 127.0.0.1:PORT\nAccept: */*\n"),
        CurlCase(
            "GET / HTTP/1.1\nb: 2\nA:  two  spaces\nHOST: 127.0.0.1:PORT\nb: 3\nEmpty:\nuser-agent: x\n"
        ),
        CurlCase("GET /? HTTP/1.1\nHost: other.example\n"),
        CurlCase("GET /old HTTP/1.0\nX: 1\n"),
        CurlCase("HEAD /h HTTP/1.1\nHost: 127.0.0.1:PORT\n"),
        CurlCase("OPTIONS * HTTP/1.1\nHost: 127.0.0.1:PORT\nUser-Agent: me\n"),
        CurlCase("DELETE /d HTTP/1.1\nHost: 127.0.0.1:PORT\nContent-Length: 0\n"),
        CurlCase("POST /p HTTP/1.1\nHost: 127.0.0.1:PORT\ncontent-length: 5\nX: y\n", body: "a=b\n\n"),
        CurlCase(
            "POST /p HTTP/1.1\nContent-Length: 5\nContent-Type: t/t\nHost: 127.0.0.1:PORT\n",
            body: "@\0\r\nx"
        ),
        CurlCase(
            "POST /c HTTP/1.1\nHost: 127.0.0.1:PORT\nTransfer-Encoding: chunked\n",
            body: "hello",
            wireBody: "5\r\nhello\r\n0\r\n\r\n"
        ),
        CurlCase("GET /g HTTP/1.1\nHost: 127.0.0.1:PORT\nContent-Length: 2\nCookie: a=b; c\n", body: "hi"),
    ]
}

/// Accepts one connection, reads what comes, and answers with an empty 200.
final class ByteListener {
    let port: UInt16
    private let descriptor: Int32

    init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutableBytes(of: &address) { bytes -> Int32 in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                bind(descriptor, base, size) == 0, listen(descriptor, 1) == 0
            else { return -1 }
            return getsockname(descriptor, base, &size)
        }
        try #require(code == 0)
        port = UInt16(bigEndian: address.sin_port)
        // A curl that never comes or sends too little ends the test, not the suite.
        var limit = timeval(tv_sec: Patience.seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// What comes on the first connection, until it is `count` bytes or nothing more comes.
    func receive(_ count: Int) -> [UInt8] {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { return [] }
        defer { close(connection) }
        var limit = timeval(tv_sec: Patience.seconds, tv_usec: 0)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var received: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while received.count < count {
            let read = recv(connection, &piece, piece.count, 0)
            guard read > 0 else { break }
            received += piece[..<read]
        }
        let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
        _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
        return received
    }
}
