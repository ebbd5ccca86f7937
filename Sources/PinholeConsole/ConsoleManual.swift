import PinholeFiles
import PinholeSession
import PinholeWire

/// Serves the documentation site below `/docs`, so that help works without the Internet.
///
/// `make docs` builds the site, and an installed Pinhole has it beside the program.
package struct ConsoleManual: Sendable {
    /// The largest file of the site: the index of its search has less than 2 MiB.
    private static let limit = 16 << 20
    /// The Content-Security-Policy of the site's pages, which load only files of the site.
    ///
    /// The site's theme sets inline styles.
    private static let policy =
        ConsoleHeaders.policy.replacing("style-src 'self'", with: "style-src 'self' 'unsafe-inline'")

    /// The folder of the site; `nil` if no site is installed.
    let folder: String?

    /// Creates the site of a folder; `nil` if no site is installed.
    package init(folder: String?) { self.folder = folder }

    /// Answers a request for a path below `/docs`; reading the file blocks the thread.
    package func answer(_ request: ConsoleRequest) -> ConsoleAnswer {
        guard request.isHead || request.head.method == "GET" else {
            return Problem.notAllowed(request, ["GET", "HEAD"]).answer
        }
        guard let folder else {
            return .text(
                "The documentation is not installed with this program. The Debian package has it, and so has "
                    + "`make install` after `make docs`; the folder docs of the sources has the same pages.",
                status: 404
            )
        }
        var parts = request.path.dropFirst()
        // Relative links of the page need the slash.
        if parts.isEmpty { return ConsoleAnswer(308, fields: [("Location", "/docs/")]) }
        if parts.last?.isEmpty == true { parts = parts.dropLast() + ["index.html"] }
        guard parts.allSatisfy(Self.isName),
            let bytes = Self.content(of: ([folder] + parts).joined(separator: "/"))
        else {
            return .text("The documentation has no such page. The first page is /docs/.", status: 404)
        }
        let fields = [
            ("Content-Type", ConsoleAssets.type(of: parts.last ?? "")),
            ("Content-Security-Policy", Self.policy),
            ("Cache-Control", "no-cache"),
        ]
        return ConsoleAnswer(200, fields: fields.map { (name: $0.0, value: $0.1) }, body: .bytes(bytes))
    }

    /// Whether a part of a path is the name of a file or folder of the site: none of them begins with a dot.
    private static func isName(_ part: String) -> Bool {
        !part.isEmpty && !part.hasPrefix(".") && !part.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
    }

    private static func content(of path: String) -> [UInt8]? {
        guard let bytes = try? File.content(of: path, upTo: limit + 1), bytes.count <= limit else {
            return nil
        }
        return bytes
    }
}
