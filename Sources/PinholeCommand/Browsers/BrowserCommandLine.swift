import PinholeModel
import PinholeSession

/// The command line that starts a browser with its profile, the proxy and the page.
struct BrowserCommandLine: Equatable {
    let browser: Browser
    /// The absolute path of the profile's folder.
    let profile: String
    let proxy: Authority
    /// Additional arguments from the user.
    var arguments: [String] = []
    /// The page to open; `nil` for none.
    var page: String?
    /// Whether root runs the browser.
    var isRoot = false

    /// The program and its arguments.
    var words: [String] {
        switch browser.family {
        case .chromium: [browser.path] + chromium + arguments + [page ?? "about:blank"]
        case .firefox: [browser.path] + firefox + arguments + [page].compactMap(\.self)
        }
    }

    /// Remarks for the user about the command line, a line each.
    var remarks: [String] {
        let sandbox = "root runs the browser, so it has no sandbox (--no-sandbox)"
        return ["\(browser.path) through \(proxy)"] + (leavesSandbox ? [sandbox] : [])
    }

    /// Whether Chromium runs without its own sandbox.
    var leavesSandbox: Bool { browser.family == .chromium && isRoot }

    private var chromium: [String] {
        [
            "--user-data-dir=\(profile)",
            "--proxy-server=http://\(proxy)",
            // Otherwise, requests to this machine would bypass the proxy.
            "--proxy-bypass-list=<-loopback>",
            // QUIC uses UDP, which bypasses the proxy.
            "--disable-quic",
            "--no-first-run", "--no-default-browser-check", "--disable-default-apps",
            "--disable-search-engine-choice-screen",
            // The browser must not ask for the password of the desktop's wallet.
            "--password-store=basic",
            // The browser's own background requests would distract from the requested traffic.
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--disable-domain-reliability", "--disable-client-side-phishing-detection", "--disable-breakpad",
            "--metrics-recording-only", "--no-pings", "--allow-browser-signin=false",
            "--disable-component-extensions-with-background-pages",
            "--disable-features=NetworkTimeServiceQuerying,OptimizationHints,MediaRouter,Translate",
        ] + Self.sandbox(isRoot: isRoot)
    }

    /// The arguments for Chromium's own sandbox, which does not work for root.
    static func sandbox(isRoot: Bool) -> [String] { isRoot ? ["--no-sandbox"] : [] }

    private var firefox: [String] { ["-no-remote", "-new-instance", "-profile", profile] }

    /// Whether a browser with these arguments of the user needs a display.
    static func needsDisplay(_ arguments: [String]) -> Bool {
        !arguments.contains { $0.hasPrefix("--headless") || $0 == "-headless" }
    }
}

extension BrowserCommandLine {
    /// Throws if the browser needs a display and there is none.
    static func checkDisplay(
        _ arguments: [String],
        _ environment: [String: String]
    ) throws(CommandFailure) {
        let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
        guard !hasDisplay, needsDisplay(arguments) else { return }
        throw CommandFailure(
            "there is no display for a window: neither DISPLAY nor WAYLAND_DISPLAY is set",
            remedy:
                "run pinhole in a desktop session, or a browser without a window: pinhole browser … -- --headless"
        )
    }
}
