import Glibc
import PinholeCrypto
import PinholeModel

/// One run of a browser, from its profile to the end of both.
struct BrowserRun: Sendable {
    let browser: Browser
    /// Where the proxy listens.
    let proxy: Authority
    /// The CA that is trusted.
    let root: Certificate
    /// That of this process.
    let environment: [String: String]
    /// Arguments of the user.
    var arguments: [String] = []
    /// The page to open; `nil` for none.
    var page: String?

    /// Prepares a profile, runs the browser with it, and removes the profile, however it ends.
    ///
    /// - Parameters:
    ///   - profile: The profile.
    ///   - start: Runs the process to its end.
    /// - Returns: The exit code.
    /// - Throws: ``CommandFailure`` when something cannot be written or started.
    func perform(
        in profile: BrowserProfile,
        _ start: (BrowserCommandLine, ChildProcess) async throws(CommandFailure) -> Int32
    ) async throws(CommandFailure) -> Int32 {
        let line = BrowserCommandLine(
            browser: browser,
            profile: profile.folder(of: browser),
            proxy: proxy,
            arguments: arguments,
            page: page,
            isRoot: geteuid() == 0
        )
        let result: Result<Int32, CommandFailure>
        do throws(CommandFailure) {
            try await profile.prepare(for: browser, trusting: root, through: proxy, environment)
            let child = ChildProcess(command: line.words, variables: profile.variables(environment))
            result = .success(try await start(line, child))
        } catch {
            result = .failure(error)
        }
        // In a task of its own: one that was cancelled does not wait for what is written at the last moment.
        await Task { await profile.remove() }.value
        return try result.get()
    }
}
