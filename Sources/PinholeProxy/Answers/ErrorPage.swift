import PinholeModel

/// A page on which the proxy reports an error: one sentence about what happened, and one about what to do.
package struct ErrorPage: Sendable, Equatable {
    /// The status code.
    package var status: Int
    /// The title: what happened, in a few words.
    package var title: String
    /// The detail: what happened, in a sentence.
    package var detail: String
    /// The advice to the user.
    package var remedy: String

    /// Creates a page.
    package init(status: Int = 502, title: String, detail: String, remedy: String) {
        self.status = status
        self.title = title
        self.detail = detail
        self.remedy = remedy
    }

    /// Returns the page as HTML if the client accepts HTML, else as plain text.
    ///
    /// - Parameter accept: The value of the request's Accept field; `nil` if it has none.
    /// - Returns: The answer with the page.
    package func answer(accept: String?) -> Answer {
        let isHTML = accept?.contains("text/html") ?? false
        return Answer(
            status: status,
            fields: Self.fields(type: isHTML ? "text/html; charset=utf-8" : "text/plain; charset=utf-8"),
            body: Array((isHTML ? html : text).utf8),
            reason: "\(title): \(detail)"
        )
    }

    /// Returns the fields of a page, which prevent browsers from sniffing its type and from running scripts in it.
    static func fields(type: String) -> [HeaderLine] {
        [
            HeaderLine("Content-Type", type),
            HeaderLine("Cache-Control", "no-store"),
            HeaderLine("X-Content-Type-Options", "nosniff"),
            HeaderLine("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"),
            HeaderLine("Proxy-Status", "pinhole"),
        ]
    }

    private var text: String {
        "Pinhole: \(title)\n\n\(detail)\n\(remedy.isEmpty ? "" : "\n\(remedy)\n")"
    }

    private var html: String {
        HTML.page(
            title: title,
            body:
                "<h1>\(MarkupText.escape(title))</h1><p>\(MarkupText.escape(detail))</p><p class=\"remedy\">\(MarkupText.escape(remedy))</p>"
        )
    }
}
