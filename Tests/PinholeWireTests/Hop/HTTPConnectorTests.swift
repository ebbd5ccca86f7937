import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeWire

@Suite("HTTPConnector")
struct HTTPConnectorTests {
    /// Whether the tunnel stands, how it was refused, and what is left.
    private static func run(
        _ answer: String,
        authorization: String? = nil,
        chunk: Int
    ) throws -> (isOpen: Bool, refusal: HopRefusal?, rest: String) {
        let authority = try Authority("[2001:db8::1]:443")
        let connector = HTTPConnector(to: authority, authorization: authorization, limits: Limits())
        var input = ByteQueue()
        var isOpen = false
        for piece in Chunking.chunks(of: Array(answer.utf8), size: chunk) {
            input.append(piece)
            do throws(HopRefusal) {
                isOpen = try connector.next(&input)
            } catch {
                return (false, error, "")
            }
        }
        return (isOpen, nil, String(decoding: input.prefix(), as: UTF8.self))
    }

    @Test("asks by the authority, IPv6 in brackets, and with credentials where there are any")
    func request() throws {
        let authority = try Authority("[2001:db8::1]:443")
        let plain = HTTPConnector(to: authority, limits: Limits()).request
        let line = "CONNECT [2001:db8::1]:443 HTTP/1.1\r\nHost: [2001:db8::1]:443\r\n"
        #expect(String(decoding: plain, as: UTF8.self) == line + "\r\n")
        let known = HTTPConnector(to: authority, authorization: "Basic YTpi", limits: Limits()).request
        #expect(String(decoding: known, as: UTF8.self) == line + "Proxy-Authorization: Basic YTpi\r\n\r\n")
        let named = HTTPConnector(to: authority, via: "1.1 a", limits: Limits()).request
        #expect(String(decoding: named, as: UTF8.self) == line + "Via: 1.1 a\r\n\r\n")
    }

    @Test("takes any 2xx, skips 1xx, and leaves the server's bytes alone", arguments: Chunking.sizes)
    func opens(chunk: Int) throws {
        for head in [
            "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.0 200 Connection established\r\n\r\n",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 Fine\r\nContent-Length: 4\r\n\r\n",
        ] {
            let run = try Self.run("\(head)220 mail", chunk: chunk)
            #expect(run.isOpen && run.rest == "220 mail", "\(head)")
        }
        #expect(try !Self.run("HTTP/1.1 200 OK\r\nX: ", chunk: chunk).isOpen)
    }

    @Test("distinguishes missing credentials, refusals and malformed answers", arguments: Chunking.sizes)
    func refusals(chunk: Int) throws {
        let answer = "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n"
        let wanted = try Self.run(answer, chunk: chunk).refusal
        #expect(wanted?.kind == .authentication && wanted?.detail.contains("Basic") == true)
        let wrong = try Self.run(answer, authorization: "Basic c2VjcmV0", chunk: chunk).refusal
        #expect(wrong?.kind == .authentication && wrong?.detail.contains("refuses") == true)
        #expect(wrong?.detail.contains("c2Vj") == false)
        let refused = try Self.run("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n", chunk: chunk)
            .refusal
        #expect(refused == HopRefusal(.refused, "it answered 403 Forbidden"))
        #expect(try Self.run("SSH-2.0-x\r\n\r\n", chunk: chunk).refusal?.kind == .malformed)
        #expect(try Self.run("HTTP/1.1 200 OK\r\n bad\r\n\r\n", chunk: chunk).refusal?.kind == .malformed)
    }
}
