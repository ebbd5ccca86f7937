import Testing

@testable import PinholeRuntime

@Suite("HelperProcess")
struct HelperProcessTests {
    @Test(
        "the exit code tells a failure, and a line of standard error does not",
        arguments: [("echo warning >&2; cat", true), ("cat; exit 3", false), ("kill -9 $$", false)]
    )
    func end(_ script: String, _ isSuccess: Bool) async throws {
        let helper = try HelperProcess(["/bin/sh", "-c", script])
        helper.closeInput()
        var reason: String?
        for await event in helper.events {
            if case .ended(let text) = event { reason = text }
        }
        #expect((reason == HelperProcess.success) == isSuccess, "\(reason ?? "no end")")
    }
}
