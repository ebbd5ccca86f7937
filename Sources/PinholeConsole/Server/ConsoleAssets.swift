import CConsoleAssets
import PinholeCrypto
import PinholeModel
import PinholeSession
import PinholeWire

/// The files of the page, which are compiled into the program.
package enum ConsoleAssets {
    /// A file of the page.
    struct Asset: Sendable {
        let name: String
        let bytes: [UInt8]
        let type: String
        /// The entity tag: the first bytes of the content's SHA-256.
        let tag: String

        init(name: String, bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
            type = ConsoleAssets.type(of: name)
            tag = "\"\(Hexadecimal.encode(Array(Digest.sha256(bytes).prefix(12))))\""
        }
    }

    /// The modules that a browser loads with what they import: those of the list, and those that act on it.
    private static let roots = ["/js/main.js", "/js/workbench.js"]

    /// The modules of the worker and of the teacher's page of results, which have nothing of the list.
    private static let separate = ["/js/parts/body/worker.js", "/js/pages/classroom/class-table.js"]

    /// The files by their paths; the page itself is `/`.
    private static let assets: [String: Asset] = {
        var assets: [String: Asset] = [:]
        for index in 0..<pinhole_asset_count() {
            guard let name = pinhole_asset_name(index).map({ String(cString: $0) }) else { continue }
            let bytes = UnsafeBufferPointer(
                start: pinhole_asset_bytes(index),
                count: pinhole_asset_size(index)
            )
            assets["/\(name)"] = Asset(name: name, bytes: Array(bytes))
        }
        let scripts = assets.filter { $0.key.hasSuffix(".js") }.mapValues {
            String(decoding: $0.bytes, as: UTF8.self)
        }
        for (path, text) in JoinedModules.join(scripts, roots: roots, separate: separate) {
            assets[path] = Asset(name: String(path.dropFirst()), bytes: Array(text.utf8))
        }
        assets["/"] = assets["/index.html"]
        return assets
    }()

    /// The names of the files.
    static var names: [String] { assets.values.map(\.name) }

    /// Answers a request for a file of the page.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - instead: The path of another file to answer with; `nil` for that of the request.
    /// - Returns: The file, or the reason why there is none.
    package static func answer(_ request: ConsoleRequest, instead: String? = nil) -> ConsoleAnswer {
        let path = instead ?? "/" + request.path.joined(separator: "/")
        guard let asset = assets[path] else {
            return .text("There is no such file in this console.", status: 404)
        }
        guard request.isHead || request.head.method == "GET" else {
            return Problem.notAllowed(request, ["GET", "HEAD"]).answer
        }
        let fields: [(name: String, value: String)] = [("ETag", asset.tag), ("Cache-Control", "no-cache")]
        let known = request.head.fields.list("if-none-match")
        if known.contains(asset.tag) || known.contains("*") { return ConsoleAnswer(304, fields: fields) }
        return ConsoleAnswer(200, fields: [("Content-Type", asset.type)] + fields, body: .bytes(asset.bytes))
    }

    static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js", "mjs": "text/javascript; charset=utf-8"
        case "json", "map": "application/json"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "ico": "image/vnd.microsoft.icon"
        case "webp": "image/webp"
        case "woff2": "font/woff2"
        case "txt": "text/plain; charset=utf-8"
        case "webmanifest": "application/manifest+json"
        default: "application/octet-stream"
        }
    }
}
