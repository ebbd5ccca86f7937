import PinholeConsole
import PinholeCrypto
import PinholeModel

/// The browsers that the console opens through a running proxy.
struct LiveBrowsers: Sendable {
    let proxy: ProxySession
    /// The address at which browsers reach the proxy; `nil` if it has no listener for browsers.
    let address: Authority?
    let journal: ConsoleJournal
    /// The environment of this process.
    let environment = ProcessEnvironment.variables

    /// The browsers that can be opened, and the ones that run.
    var listing: BrowserListing {
        let settings = proxy.settings.proxy
        var listing = BrowserListing(
            running: proxy.browsers.running,
            asksForPassword: settings.credentials != nil || settings.users != nil
        )
        do throws(Problem) {
            listing.browsers = try usable().browsers.map {
                BrowserListing.Browser(name: $0.name, family: $0.browser.family.rawValue)
            }
        } catch {
            listing.obstacle = error
        }
        return listing
    }

    /// Opens a browser through the proxy.
    ///
    /// - Parameters:
    ///   - name: The name of a listed browser; `nil` for the first one.
    ///   - page: The page to open; `nil` for none.
    /// - Returns: The entry of the browser in the listing, or the reason why it was not opened.
    func open(_ name: String?, _ page: String?) async -> Result<BrowserListing.Running, Problem> {
        do throws(Problem) {
            let (address, browsers) = try usable()
            guard let chosen = browsers.first(where: { name == nil || $0.name == name }) else {
                let known = browsers.map(\.name).joined(separator: ", ")
                throw Problem(
                    422,
                    "no such browser",
                    "browser: expected \(known), found “\((name ?? "").prefix(80))”"
                )
            }
            let run = BrowserRun(
                browser: chosen.browser,
                proxy: address,
                root: proxy.minter.authority.root,
                environment: environment,
                page: page
            )
            do throws(CommandFailure) {
                return .success(try await proxy.browsers.open(run, named: chosen.name, journal))
            } catch {
                throw Problem(500, "the browser cannot be opened", error.message, remedy: error.remedy)
            }
        } catch {
            return .failure(error)
        }
    }

    /// Returns the browsers that can be opened, and the address at which they reach the proxy.
    private func usable() throws(Problem) -> (
        address: Authority, browsers: [(name: String, browser: Browser)]
    ) {
        do throws(CommandFailure) {
            guard let address else {
                throw CommandFailure(
                    .couldNotRun,
                    "expected a listener for clients who know of a proxy, found only others",
                    remedy: "start the proxy with one more: --listen 127.0.0.1:8080"
                )
            }
            let search = BrowserSearch(environment: environment)
            _ = try search.find(nil)
            _ = try NSSDatabase.certutil(environment)
            try BrowserCommandLine.checkDisplay([], environment)
            return (address, search.all())
        } catch {
            throw Problem(409, "no browser can be opened", error.message, remedy: error.remedy)
        }
    }
}
