import Foundation
import PinholeCrypto
import PinholeLab
import PinholeRuntime
import PinholeTestKit
import Testing

@testable import Pinhole

/// A proxy inside of the test's own process, with interceptors in Swift, and curl as its client.
@Suite("Proxy")
struct ProxyTests {
    /// Marks requests, answers one path, drops another, and rewrites bodies.
    private struct Marker: Interceptor {
        var filter: String { "path != /html" }
        // With hundreds of tests side by side an answer may come late.
        var patience: Duration { Patience.limit }

        func decide(_ request: inout Request) async throws -> Decision {
            await Task.yield()
            switch request.path {
            case "/teapot":
                return .respond(Response(status: 418, fields: [Field("X-Tea", "1")], body: [0x41]))
            case "/gone": return .drop
            default:
                request.fields["X-Seen-By"] = "Marker"
                request.fields["User-Agent"] = nil
                if !request.body.isEmpty { request.body += Array("!".utf8) }
                return .proceed
            }
        }

        func decide(_ response: inout Response, to request: Request) async throws -> Decision {
            guard request.path == "/json" else { return .proceed }
            response.status = 203
            response.body = Array("tea\n".utf8)
            return .proceed
        }
    }

    /// Has no answer, and must have one.
    private struct Guard: Interceptor {
        enum Doubt: Error { case unsure }

        let name = "guard"
        var filter: String { "path == /html | path == /chunked" }
        var points: Set<InterceptionPoint> { [.requestHead] }
        var patience: Duration { .milliseconds(50) }
        var failurePolicy: FailurePolicy { .close }

        func decide(_ request: inout Request) async throws -> Decision {
            #expect(request.body.isEmpty)
            if request.path == "/html" { throw Doubt.unsure }
            try await Patience.untilCancelled()
            return .proceed
        }
    }

    private func run(
        _ interceptors: [any Interceptor],
        _ body: (Proxy, Origin, TemporaryDirectory) async throws -> Void
    ) async throws {
        let origin = try await Origin.start(hosts: nil, routes: .standard)
        defer { origin.stop() }
        let directory = try TemporaryDirectory(prefix: "pinhole-library")
        var options = Proxy.Options(authorityDirectory: directory.file("ca"))
        options.capture = directory.file("capture.sqlite")
        options.serverAuthorities = [try directory.write(origin.authority.root.pem, to: "servers.pem")]
        options.resolve = ["*:*:127.0.0.1"]
        options.interceptors = interceptors
        let proxy = try await Proxy.start(options)
        do {
            try await body(proxy, origin, directory)
        } catch {
            await proxy.stop()
            throw error
        }
        await proxy.stop()
    }

    private func curl(
        _ proxy: Proxy,
        _ origin: Origin,
        _ path: String,
        _ more: String...
    ) async throws -> String {
        let result = try await ProcessRunner.run(
            Invocation(
                "curl",
                [
                    "-sS", "--max-time", "\(Patience.seconds)", "--cacert", proxy.certificatePath, "-x",
                    "http://127.0.0.1:\(proxy.port)", "-w", " %{http_code}",
                ] + more + ["https://shop.example.test:\(origin.secureAddress.port)\(path)"],
                environment: ["NO_PROXY": "", "no_proxy": ""]
            )
        )
        return result.text
    }

    @Test("calls interceptors, reports exchanges, and records")
    func asked() async throws {
        try await run([Marker(), Guard()]) { proxy, origin, directory in
            let echo = try await curl(proxy, origin, "/echo", "-d", "a=b").lowercased()
            #expect(echo.contains("x-seen-by") && !echo.contains("user-agent"), "\(echo)")
            #expect(echo.contains(#""bodylength" : 4"#) && echo.hasSuffix(" 200"))
            #expect(try await curl(proxy, origin, "/teapot") == "A 418")
            #expect(try await curl(proxy, origin, "/gone") == " 000")
            #expect(try await curl(proxy, origin, "/json") == "tea\n 203")
            #expect(try await curl(proxy, origin, "/html") == " 000")
            #expect(try await curl(proxy, origin, "/chunked") == " 000")
            await proxy.stop()
            var told: [Exchange] = []
            for await exchange in proxy.exchanges { told.append(exchange) }
            #expect(told.map(\.status) == [200, 418, nil, 203, nil, nil])
            #expect(told.first?.effects.first == "Marker: continued with changed fields, the body to 4 bytes")
            #expect(told[1].outcome.hasPrefix("answered by the proxy: "))
            let changed = "Marker: continued with changed status 200 to 203, the body to 4 bytes"
            #expect(told[3].effects.last == changed)
            #expect(told[4].effects.first?.hasPrefix("guard: closed: it threw: ") == true)
            #expect(told[5].effects.last == "guard: closed: it took longer than 0.05 s")
            #expect(try directory.read("capture.sqlite").count > 1000)
        }
    }

    @Test("returns its CA, with the fingerprint that other tools show")
    func page() async throws {
        try await run([]) { proxy, _, _ in
            let page = try await ProcessRunner.run(
                Invocation(
                    "curl",
                    ["-sS", "--max-time", "\(Patience.seconds)", "http://127.0.0.1:\(proxy.port)/"]
                )
            )
            let shown = try await ProcessRunner.run(
                Invocation(
                    "openssl",
                    ["x509", "-noout", "-fingerprint", "-sha256", "-in", proxy.certificatePath]
                )
            )
            let fingerprint = shown.text.split(separator: "=").last.map { $0.filter { !$0.isWhitespace } }
            #expect(fingerprint?.count == 95 && page.text.contains(fingerprint ?? "none"), "\(page.text)")
            #expect(page.text.contains("/pinhole-ca.p12"))
        }
    }

    @Test("a change that cannot be sent is not made")
    func unsendable() async throws {
        struct Odd: Interceptor {
            var patience: Duration { Patience.limit }

            func decide(_ request: inout Request) async throws -> Decision {
                request.fields["Content-Length"] = "1"
                return .proceed
            }
        }
        try await run([Odd()]) { proxy, origin, _ in
            let text = try await curl(proxy, origin, "/html", "--http1.1")
            #expect(text.hasSuffix(" 200"))
            await proxy.stop()
            var effects: [String] = []
            for await exchange in proxy.exchanges { effects += exchange.effects }
            #expect(
                effects.first?.contains("Odd: not applied: fields[2]: expected a header that does not frame")
                    == true
            )
        }
    }

    @Test("the coding of a body stays with it, and HEAD gets none")
    func coding() async throws {
        struct Plain: Interceptor {
            var patience: Duration { Patience.limit }

            func decide(_ response: inout Response, to request: Request) async throws -> Decision {
                response.fields["Content-Encoding"] = nil
                response.fields["X-Plain"] = "1"
                if request.method == "HEAD" { response.body = [0x41] }
                return .proceed
            }
        }
        try await run([Plain()]) { proxy, origin, _ in
            let gzip = try await curl(proxy, origin, "/gzip", "--compressed", "-D", "-").lowercased()
            #expect(gzip.contains("content-encoding: gzip\r\n") && gzip.contains("x-plain: 1\r\n"))
            #expect(gzip.utf8.count > 32 << 10 && gzip.hasSuffix(" 200"))
            let head = try await curl(proxy, origin, "/gzip", "--compressed", "-I").lowercased()
            #expect(!head.contains("x-plain") && head.hasSuffix(" 200"))
            await proxy.stop()
            var effects: [String] = []
            for await exchange in proxy.exchanges { effects += exchange.effects.suffix(1) }
            let refused = "Plain: not applied: body: expected none, since HEAD is answered, found 1 bytes"
            #expect(effects == ["Plain: continued with changed fields", refused])
        }
    }

    @Test("names unusable values")
    func refused() async throws {
        struct Both: Interceptor {
            var points: Set<InterceptionPoint> { [.request, .requestHead] }
        }
        struct Typo: Interceptor {
            var filter: String { "stauts == 1" }
        }
        let directory = try TemporaryDirectory(prefix: "pinhole-library")
        func failure(_ change: (inout Proxy.Options) -> Void) async -> String {
            var options = Proxy.Options(authorityDirectory: directory.file("ca"))
            change(&options)
            do throws(ProxyFailure) {
                try await Proxy.start(options).stop()
                return "none"
            } catch {
                return error.description
            }
        }
        #expect(await failure { $0.listen = "0.0.0.0:0" }.contains("expected a loopback address"))
        #expect(await failure { $0.listen = "here" }.contains("expected a loopback address"))
        #expect(await failure { $0.interceptors = [Both()] }.contains("the points of Both"))
        #expect(await failure { $0.interceptors = [Typo()] }.contains("write “status”"))
        #expect(await failure { $0.serverAuthorities = ["/none.pem"] }.contains("/none.pem"))
        #expect(await failure { $0.capture = "/none/such.sqlite" }.contains("/none"))
        #expect(await failure { _ in } == "none")
    }
}
