import PinholeCrypto
import PinholeModel
import PinholeSession

extension SessionControl {
    func browsers() -> BrowserListing {
        var listing = BrowserListing(running: proxy.browsers.running, asksForPassword: asksForPassword)
        do throws(Problem) {
            listing.browsers = try usableBrowsers().browsers.map {
                BrowserListing.Browser(name: $0.name, family: $0.browser.family.rawValue)
            }
        } catch {
            listing.problem = Problem.Document(error)
        }
        return listing
    }

    func openBrowser(_ name: String?, page: String?) async throws(Problem) -> BrowserListing.Running {
        let (address, browsers) = try usableBrowsers()
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
            environment: ProcessEnvironment.variables,
            page: page
        )
        do throws(CommandFailure) {
            return try await proxy.browsers.open(run, named: chosen.name, journal)
        } catch {
            throw Problem(500, "the browser cannot be opened", error.message, remedy: error.remedy)
        }
    }

    /// Returns the browsers that can be opened, and the address at which they reach the proxy.
    private func usableBrowsers() throws(Problem) -> (
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
            let environment = ProcessEnvironment.variables
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
