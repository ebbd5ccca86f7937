import Dispatch
import Foundation
import PinholeModel
import PinholeRuntime
import PinholeTestKit
import Testing

@testable import PinholeConsole

@Suite("ConsoleManual")
struct ConsoleManualTests {
    private static func site() throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory(prefix: "pinhole-site")
        try folder.write("outside", to: "secret.txt")
        for path in ["site/search", "site/.git"] {
            try FileManager.default.createDirectory(
                atPath: folder.file(path),
                withIntermediateDirectories: true
            )
        }
        try folder.write("first page", to: "site/index.html")
        try folder.write("{}", to: "site/search/search_index.json")
        try folder.write("hidden", to: "site/.git/config")
        return folder
    }

    private static func body(_ answer: ConsoleAnswer) -> String {
        guard case .bytes(let bytes) = answer.body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("serves the site's files with their types, and the first page at /docs/")
    func pages() throws {
        let folder = try Self.site()
        let manual = ConsoleManual(folder: folder.file("site"))
        let first = manual.answer(ConsoleStage.request("GET", "/docs/"))
        #expect(first.status == 200 && Self.body(first) == "first page")
        #expect(first.fields.contains { $0 == ("Content-Type", "text/html; charset=utf-8") })
        let index = manual.answer(ConsoleStage.request("GET", "/docs/search/search_index.json?x=1"))
        #expect(index.status == 200 && index.fields.contains { $0 == ("Content-Type", "application/json") })
        let short = manual.answer(ConsoleStage.request("GET", "/docs"))
        #expect(short.status == 308 && short.fields.contains { $0 == ("Location", "/docs/") })
        #expect(manual.answer(ConsoleStage.request("POST", "/docs/")).status == 405)
    }

    @Test(
        "serves nothing outside of the site",
        arguments: [
            "/docs/../secret.txt", "/docs/%2e%2e/secret.txt", "/docs/..%2fsecret.txt", "/docs/.git/config",
            "/docs/search/",
            "/docs//index.html",
            "/docs/search%2fsearch_index.json", "/docs/index.html%00", "/docs/search",
            "/docs/none.html",
        ]
    )
    func outside(path: String) throws {
        let folder = try Self.site()
        #expect(
            ConsoleManual(folder: folder.file("site")).answer(ConsoleStage.request("GET", path)).status == 404
        )
    }

    @Test("reads files away from the calling thread, which may be an event loop")
    func otherThread() async throws {
        let folder = try Self.site()
        let stage = try ConsoleStage { $0.manual = folder.file("site") }
        let address = SocketAddress(try #require(IPAddress("127.0.0.1")), port: 1)
        let service = ConsoleService(
            gate: ConsoleGate(token: AccessToken(), address: address),
            api: stage.api
        )
        let (answer, isSame) = await withCheckedContinuation { continuation in
            let thread = Thread {
                let asking = pthread_self()
                // A thread that has ended may have its number again in another one.
                let isAnswered = DispatchSemaphore(value: 0)
                service.answer(ConsoleStage.request("GET", "/docs/")) { answer in
                    continuation.resume(returning: (answer, pthread_equal(asking, pthread_self()) != 0))
                    isAnswered.signal()
                }
                isAnswered.wait()
            }
            thread.start()
        }
        #expect(answer.status == 200 && Self.body(answer) == "first page")
        #expect(!isSame)
    }

    @Test("says how to get the documentation if it is not installed")
    func missing() throws {
        let answer = ConsoleManual(folder: nil).answer(ConsoleStage.request("GET", "/docs/CA.html"))
        #expect(answer.status == 404 && Self.body(answer).contains("The Debian package has it"))
    }
}
