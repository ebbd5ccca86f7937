import PinholeModel

/// How a browser is told of its profile, the proxy and the page.
struct BrowserCommandLine: Equatable {
    let browser: Browser
    /// The folder of its profile, absolute.
    let profile: String
    let proxy: Authority
    /// Arguments of the user.
    var arguments: [String] = []
    /// The page to open; `nil` for none.
    var page: String?
    /// Whether it is root who runs it.
    var isRoot = false

    /// The program and its arguments.
    var words: [String] {
        switch browser.family {
        case .chromium: [browser.path] + chromium + arguments + [page ?? "about:blank"]
        case .firefox: [browser.path] + firefox + arguments + [page].compactMap(\.self)
        }
    }

    /// What people are told of it, a line each.
    var remarks: [String] {
        let sandbox = "root runs it, so it goes without a sandbox of its own (--no-sandbox)"
        return ["\(browser.path) through \(proxy)"] + (leavesSandbox ? [sandbox] : [])
    }

    /// Whether Chromium runs without its own sandbox, which does not work for root.
    var leavesSandbox: Bool { browser.family == .chromium && isRoot }

    private var chromium: [String] {
        [
            "--user-data-dir=\(profile)",
            "--proxy-server=http://\(proxy)",
            // Otherwise what is on this machine would go past the proxy.
            "--proxy-bypass-list=<-loopback>",
            // UDP goes past any proxy.
            "--disable-quic",
            "--no-first-run", "--no-default-browser-check", "--disable-default-apps",
            "--disable-search-engine-choice-screen",
            // No wallet of the desktop is asked for a password.
            "--password-store=basic",
            // Requests that nobody asked for would stand between those that are looked at.
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--disable-domain-reliability", "--disable-client-side-phishing-detection", "--disable-breakpad",
            "--metrics-recording-only", "--no-pings", "--allow-browser-signin=false",
            "--disable-component-extensions-with-background-pages",
            "--disable-features=NetworkTimeServiceQuerying,OptimizationHints,MediaRouter,Translate",
        ] + (isRoot ? ["--no-sandbox"] : [])
    }

    private var firefox: [String] { ["-no-remote", "-new-instance", "-profile", profile] }

    /// Whether a browser with these arguments of the user needs a display.
    static func needsDisplay(_ arguments: [String]) -> Bool {
        !arguments.contains { $0.hasPrefix("--headless") || $0 == "-headless" }
    }
}
