package import PinholeCrypto
package import PinholeModel

/// Opens browsers whose traffic goes through a proxy, for the proxy's control.
package protocol ProxyBrowsers: Sendable {
    /// The running browsers, the oldest first.
    var running: [BrowserListing.Running] { get }

    /// Returns the browsers that can be opened here; the first is opened if the user chooses none.
    ///
    /// - Throws: ``CommandFailure`` if no browser can be opened.
    func usable() throws(CommandFailure) -> [BrowserListing.Browser]

    /// Opens a browser, and returns as soon as it runs.
    ///
    /// - Parameters:
    ///   - name: The name of a usable browser.
    ///   - proxy: The address of the proxy.
    ///   - root: The certificate of the proxy's authority.
    ///   - page: The page that the browser shows first; `nil` for its own.
    ///   - journal: The journal that records the start, and an end that the proxy did not cause.
    /// - Returns: The entry of the browser in the listing.
    /// - Throws: ``CommandFailure`` if the browser cannot be opened.
    func open(
        _ name: String,
        through proxy: Authority,
        trusting root: Certificate,
        page: String?,
        _ journal: ConsoleJournal
    ) async throws(CommandFailure) -> BrowserListing.Running

    /// Ends a browser, and returns whether it was running.
    func end(_ id: Int64) async -> Bool

    /// Ends all browsers, and refuses to open others.
    func close() async
}
