import PinholeCrypto
import PinholeModel

/// The actions on the browsers that use a proxy.
package protocol BrowserControl: Sendable {
    /// Returns the browsers that can be opened, and the ones that run.
    func browsers() async throws(Problem) -> BrowserListing

    /// Opens a listed browser, or the first one, with a page or without; returns when the browser runs.
    func openBrowser(_ name: String?, page: String?) async throws(Problem) -> BrowserListing.Running

    /// Ends a browser, and returns whether it ran.
    func endBrowser(_ id: Int64) async throws(Problem) -> Bool
}

extension SessionControl {
    func browsers() -> BrowserListing {
        var listing = BrowserListing(running: proxy.browsers?.running ?? [], asksForPassword: asksForPassword)
        do throws(Problem) {
            listing.browsers = try usableBrowsers().names
        } catch {
            listing.problem = Problem.Document(error)
        }
        return listing
    }

    func openBrowser(_ name: String?, page: String?) async throws(Problem) -> BrowserListing.Running {
        let (address, browsers, names) = try usableBrowsers()
        guard let chosen = names.first(where: { name == nil || $0.name == name }) else {
            let known = names.map(\.name).joined(separator: ", ")
            throw Problem(
                422,
                "no such browser",
                "browser: expected \(known), found “\((name ?? "").prefix(80))”"
            )
        }
        do throws(CommandFailure) {
            let root = proxy.minter.authority.root
            return try await browsers.open(chosen.name, through: address, trusting: root, page: page, journal)
        } catch {
            throw Problem(500, "the browser cannot be opened", error.message, remedy: error.remedy)
        }
    }

    func endBrowser(_ id: Int64) async -> Bool { await proxy.browsers?.end(id) ?? false }

    /// Returns the browsers that can be opened, and the address at which they reach the proxy.
    private func usableBrowsers() throws(Problem) -> (
        address: Authority, browsers: any ProxyBrowsers, names: [BrowserListing.Browser]
    ) {
        do throws(CommandFailure) {
            guard let browsers = proxy.browsers else {
                throw CommandFailure("the program of this proxy opens no browsers")
            }
            guard let address else {
                throw CommandFailure(
                    "expected a listener for clients who know of a proxy, found only others",
                    remedy: "start the proxy with one more: --listen 127.0.0.1:8080"
                )
            }
            return (address, browsers, try browsers.usable())
        } catch {
            throw Problem(409, "no browser can be opened", error.message, remedy: error.remedy)
        }
    }
}

extension RemoteControl {
    func browsers() async throws(Problem) -> BrowserListing { try await api.answer("GET", "/api/browser") }

    func openBrowser(_ name: String?, page: String?) async throws(Problem) -> BrowserListing.Running {
        try await api.answer("POST", "/api/browser", BrowserOrder(browser: name, url: page))
    }

    func endBrowser(_ id: Int64) async throws(Problem) -> Bool {
        try await api.isDone("DELETE", "/api/browser/\(id)")
    }
}
