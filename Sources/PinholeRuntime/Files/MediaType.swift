import PinholeFiles

/// Media types by the suffixes of file names.
enum MediaType {
    private static let types = [
        "avif": "image/avif", "bin": "application/octet-stream", "bmp": "image/bmp", "css": "text/css",
        "csv": "text/csv", "gif": "image/gif", "gz": "application/gzip", "htm": "text/html",
        "html": "text/html", "ico": "image/vnd.microsoft.icon", "jpeg": "image/jpeg", "jpg": "image/jpeg",
        "js": "text/javascript", "json": "application/json", "map": "application/json", "md": "text/markdown",
        "mjs": "text/javascript", "mp3": "audio/mpeg", "mp4": "video/mp4", "ogg": "audio/ogg",
        "otf": "font/otf", "pdf": "application/pdf", "png": "image/png", "proto": "text/plain",
        "svg": "image/svg+xml", "ttf": "font/ttf", "txt": "text/plain", "wasm": "application/wasm",
        "wav": "audio/wav", "webm": "video/webm", "webmanifest": "application/manifest+json",
        "webp": "image/webp", "woff": "font/woff", "woff2": "font/woff2", "xml": "application/xml",
        "zip": "application/zip",
    ]

    /// The type of a file; texts are taken for UTF-8.
    static func of(_ path: String) -> String {
        let name = FilePath.name(of: path)
        guard let dot = name.lastIndex(of: "."),
            let type = types[name[name.index(after: dot)...].lowercased()]
        else { return "application/octet-stream" }
        return type.hasPrefix("text/") ? type + "; charset=utf-8" : type
    }
}
