import PinholeModel
import PinholeWire

/// The page at `http://pinhole.test/`, with the CA certificate and instructions to trust it on each platform.
///
/// The page never contains the CA's key.
package struct Onboarding: Sendable {
    /// A file that can be downloaded.
    package struct Download: Sendable {
        /// The path of the file on the page's host.
        package var path: String
        /// The name under which the browser saves the file.
        package var fileName: String
        /// The media type of the file.
        package var type: String
        /// The purpose of the file, in a few words.
        package var purpose: String
        /// The content of the file.
        package var bytes: [UInt8]

        /// Creates a download.
        package init(path: String, fileName: String, type: String, purpose: String, bytes: [UInt8]) {
            self.path = path
            self.fileName = fileName
            self.type = type
            self.purpose = purpose
            self.bytes = bytes
        }
    }

    private let downloads: [Download]
    private let subject: String
    private let fingerprint: String
    private let expiry: String
    /// The commands for clients of this machine; `nil` if the listener serves one program only.
    package var commands: ClientCommands?

    /// Creates the page.
    ///
    /// - Parameters:
    ///   - downloads: The CA certificate in its formats.
    ///   - subject: The CA's subject.
    ///   - fingerprint: The SHA-256 fingerprint of the CA certificate in hexadecimal.
    ///   - expiry: The time at which the CA certificate expires.
    package init(downloads: [Download], subject: String, fingerprint: String, expiry: String) {
        self.downloads = downloads
        self.subject = subject
        self.fingerprint = fingerprint
        self.expiry = expiry
    }

    /// Answers a request to the proxy itself.
    ///
    /// - Parameters:
    ///   - head: The head of the request.
    ///   - listener: The address that the client connected to.
    /// - Returns: The page, a file, the PAC script, or an error page.
    func answer(to head: RequestHead, at listener: String) -> Answer {
        answer(
            method: head.method,
            target: Self.target(of: head),
            accept: head.fields.first("accept"),
            device: Device(userAgent: head.fields.first("user-agent")),
            proxy: AutoConfiguration(named: head.authority(for: .http), at: listener),
            listener
        )
    }

    private func answer(
        method: String,
        target: String,
        accept: String?,
        device: Device?,
        proxy: AutoConfiguration,
        _ listener: String
    ) -> Answer {
        guard method == "GET" || method == "HEAD" else {
            return ErrorPage(
                status: 405,
                title: "This page can only be read",
                detail: "Expected GET or HEAD.",
                remedy: ""
            ).answer(accept: accept)
        }
        let path = String(target.prefix { $0 != "?" })
        if path == "/" {
            return Answer(
                status: 200,
                fields: ErrorPage.fields(type: "text/html; charset=utf-8"),
                body: Array(page(at: listener, proxy.place, for: device).utf8),
                reason: "the onboarding page"
            )
        }
        if path == AutoConfiguration.path { return proxy.answer }
        guard let download = downloads.first(where: { $0.path == path }) else {
            return ErrorPage(
                status: 404,
                title: "There is no such page",
                detail: "The proxy itself has no page \(path).",
                remedy: "Open http://pinhole.test/ through the proxy."
            ).answer(accept: accept)
        }
        let disposition = "attachment; filename=\"\(download.fileName)\""
        return Answer(
            status: 200,
            fields: ErrorPage.fields(type: download.type) + [
                HeaderLine("Content-Disposition", disposition)
            ],
            body: download.bytes,
            reason: "the CA certificate"
        )
    }

    private static func target(of head: RequestHead) -> String {
        if case .absolute(_, _, let path) = head.target { path } else { head.rawTarget }
    }

    /// Returns the page, which begins with the steps of the phone that asks for it.
    private func page(at listener: String, _ place: String, for device: Device?) -> String {
        let rows = downloads.map { download in
            let name = MarkupText.escape(download.fileName)
            return
                "<tr><td><a href=\"\(download.path)\">\(name)</a></td><td>\(MarkupText.escape(download.purpose))</td></tr>"
        }.joined()
        let files = "<h2>The CA certificate</h2><table>\(rows)</table>"
        let identity = """
            <p>\(MarkupText.escape(subject))<br>SHA-256 <code>\(MarkupText.escape(fingerprint))</code><br>
            valid until \(MarkupText.escape(expiry))</p>
            """
        let introduction = """
            <h1>Your traffic passes through Pinhole</h1>
            <p>This proxy reads HTTPS by signing certificates with its own CA. A client has to
            trust that CA; do so only for debugging, and take it out again afterwards.</p>
            """
        // A phone has no terminal for commands.
        let rest = (device == nil ? lines(at: listener) : "") + Self.steps(at: place, except: device?.kind)
        let body =
            if let device {
                introduction + Self.steps(on: device, at: place) + identity + rest + files
            } else {
                introduction + files + identity + rest
            }
        return HTML.page(title: "Trust this proxy", body: body)
    }

    /// Returns the steps on a phone, which begin with the file that it has to open.
    private static func steps(on device: Device, at place: String) -> String {
        let steps = ClientGuide.steps(on: device, at: place).map { "<li>\(MarkupText.escape($0.text))</li>" }
        return """
            <h2>This \(device.name)</h2>
            <p><a href="\(device.download)">Download the CA for this \(device.name)</a></p><ol>\(steps.joined())</ol>
            """
    }

    /// Returns the commands for clients on this machine; their paths are valid only here.
    private func lines(at listener: String) -> String {
        guard let commands, listener.hasPrefix("127.") || listener.hasPrefix("[::1]") else {
            return """
                <h2>One command, nothing installed</h2>
                <pre>pinhole run -- curl https://example.com/</pre>
                <p>sets the proxy and the CA for that process tree alone.</p>
                """
        }
        let rows = commands.lines(at: listener, isPublic: true).map { line in
            "<h3>\(MarkupText.escape(line.client))</h3><pre>\(MarkupText.escape(line.command))</pre>"
        }.joined()
        return "<h2>One command, nothing installed</h2><p>In a terminal of this machine:</p>\(rows)"
    }

    /// Returns the address of the proxy, and the steps for each platform.
    ///
    /// - Parameters:
    ///   - place: The address of the proxy.
    ///   - kind: The kind of client whose steps the page has already.
    /// - Returns: The sections of the page.
    private static func steps(at place: String, except kind: ClientKind?) -> String {
        let (host, port) = ClientGuide.parts(of: place)
        let ways = ClientGuide.elsewhere(at: place).filter { $0.kind != kind }.map { way in
            let steps = way.steps.map { step in
                let command = step.command.map { "<pre>\(MarkupText.escape($0))</pre>" } ?? ""
                return "<p>\(MarkupText.escape(step.text))</p>\(command)"
            }.joined()
            return "<h2>\(MarkupText.escape(way.title))</h2>\(steps)"
        }.joined()
        return """
            <h2>The proxy</h2><p>Server <code>\(MarkupText.escape(host))</code>, port
            <code>\(MarkupText.escape(port))</code>. Automatic configuration:
            <code>http://\(MarkupText.escape(place))/proxy.pac</code>.</p>\(ways)
            """
    }
}
