import Glibc
import PinholeCrypto
import PinholeModel
import PinholeSession

/// A run of a browser, from the creation of its profile to the end of both.
struct BrowserRun: Sendable {
    let browser: Browser
    /// The address of the proxy.
    let proxy: Authority
    /// The CA that the browser trusts.
    let root: Certificate
    /// The environment of this process.
    let environment: [String: String]
    /// Additional arguments from the user.
    var arguments: [String] = []
    /// The page to open; `nil` for none.
    var page: String?

    /// Prepares a profile, runs the browser with it, and removes the profile even after a failure.
    ///
    /// - Parameters:
    ///   - profile: The profile.
    ///   - start: Runs the process to its end.
    /// - Returns: The exit code.
    /// - Throws: ``CommandFailure`` if a file cannot be written, or the browser cannot be started.
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
        // This runs in its own task, since a cancelled task would not wait for the browser's last writes.
        await Task { await profile.remove() }.value
        return try result.get()
    }
}
