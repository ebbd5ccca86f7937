import PinholeCrypto
import PinholeLock
import PinholeModel
import PinholeRuntime
import PinholeSession

/// The browsers that were opened through a proxy; they are ended with the proxy.
final class OpenedBrowsers: ProxyBrowsers {
    private struct Entry {
        let listed: BrowserListing.Running
        /// The task of the browser, which ends after the browser and its profile are gone; cancelling it ends both.
        let task: Task<Void, Never>
    }

    private struct State {
        var last: Int64 = 0
        var entries: [Int64: Entry] = [:]
        var isClosed = false
    }

    private let state = Lock(State())
    private let clock = LoopClock()

    /// The running browsers, the oldest first.
    var running: [BrowserListing.Running] {
        state.withLock { $0.entries.values.map(\.listed) }.sorted { $0.id < $1.id }
    }

    func usable() throws(CommandFailure) -> [BrowserListing.Browser] {
        try search().map { BrowserListing.Browser(name: $0.name, family: $0.browser.family.rawValue) }
    }

    /// Returns the browsers of this machine, if what opening one needs is here.
    private func search() throws(CommandFailure) -> [(name: String, browser: Browser)] {
        let environment = ProcessEnvironment.variables
        let search = BrowserSearch(environment: environment)
        _ = try search.find(nil)
        _ = try NSSDatabase.certutil(environment)
        try BrowserCommandLine.checkDisplay([], environment)
        return search.all()
    }

    func open(
        _ name: String,
        through proxy: Authority,
        trusting root: Certificate,
        page: String?,
        _ journal: ConsoleJournal
    ) async throws(CommandFailure) -> BrowserListing.Running {
        guard let browser = try search().first(where: { $0.name == name })?.browser else {
            throw CommandFailure("\(name) is no longer there")
        }
        let run = BrowserRun(
            browser: browser,
            proxy: proxy,
            root: root,
            environment: ProcessEnvironment.variables,
            page: page
        )
        return try await open(run, named: name, journal)
    }

    /// Opens a browser, and returns as soon as it runs.
    ///
    /// - Parameters:
    ///   - run: The browser and its settings.
    ///   - name: The name of the browser for users.
    ///   - journal: The journal that records the start, and an end that the proxy did not cause.
    /// - Returns: The entry of the browser in the listing.
    /// - Throws: ``CommandFailure`` if the browser cannot be opened.
    func open(
        _ run: BrowserRun,
        named name: String,
        _ journal: ConsoleJournal
    ) async throws(CommandFailure) -> BrowserListing.Running {
        let profile = try BrowserProfile()
        let (starts, continuation) = AsyncStream.makeStream(of: CommandFailure?.self)
        let listed: BrowserListing.Running? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.last += 1
            let listed = BrowserListing.Running(id: state.last, browser: name, opened: clock.now())
            let task = Task {
                continuation.yield(await perform(run, in: profile, name, journal) { continuation.yield(nil) })
                self.state.withLock { $0.entries[listed.id] = nil }
            }
            state.entries[listed.id] = Entry(listed: listed, task: task)
            return listed
        }
        guard let listed else {
            await profile.remove()
            throw CommandFailure("the proxy ends, and its browsers with it")
        }
        if let failure = await starts.first(where: { _ in true }) ?? nil { throw failure }
        return listed
    }

    private func perform(
        _ run: BrowserRun,
        in profile: BrowserProfile,
        _ name: String,
        _ journal: ConsoleJournal,
        _ started: () -> Void
    ) async -> CommandFailure? {
        do throws(CommandFailure) {
            let code = try await run.perform(in: profile) { line, child throws(CommandFailure) in
                for remark in line.remarks { journal.note(.notice, "opened in the console: \(remark)") }
                return try await child.runBeside(started)
            }
            if code != 0, !Task.isCancelled {
                journal.note(
                    .warning,
                    "\(name) ended with the code \(code); to read its error, run in a terminal: pinhole browser --browser \(name)"
                )
            }
            return nil
        } catch {
            return error
        }
    }

    /// Ends a browser, and returns when its profile is removed.
    func end(_ id: Int64) async -> Bool {
        guard let task = state.withLock({ $0.entries[id]?.task }) else { return false }
        task.cancel()
        await task.value
        return true
    }

    func close() async {
        let tasks = state.withLock { state in
            state.isClosed = true
            return state.entries.values.map(\.task)
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}
