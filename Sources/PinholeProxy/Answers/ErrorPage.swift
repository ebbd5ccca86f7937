import PinholeModel

/// The page with which the proxy says that something went wrong: one sentence what, one what to do.
package struct ErrorPage: Sendable, Equatable {
    /// The status.
    package var status: Int
    /// What happened, in a few words.
    package var title: String
    /// What happened, in a sentence.
    package var detail: String
    /// What to do about it.
    package var remedy: String

    /// Creates a page.
    package init(status: Int, title: String, detail: String, remedy: String) {
        self.status = status
        self.title = title
        self.detail = detail
        self.remedy = remedy
    }

    /// The page as HTML where the client wants that, else as text.
    ///
    /// - Parameter accept: The value of the request's Accept field.
    /// - Returns: The answer.
    package func answer(accept: String?) -> Answer {
        let isHTML = accept?.contains("text/html") ?? false
        return Answer(
            status: status,
            fields: Self.fields(type: isHTML ? "text/html; charset=utf-8" : "text/plain; charset=utf-8"),
            body: Array((isHTML ? html : text).utf8),
            reason: "\(title): \(detail)"
        )
    }

    /// Nothing that came from outside is interpreted: it is escaped, never sniffed, and no script runs.
    static func fields(type: String) -> [Answer.Field] {
        [
            Answer.Field("Content-Type", type),
            Answer.Field("Cache-Control", "no-store"),
            Answer.Field("X-Content-Type-Options", "nosniff"),
            Answer.Field("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"),
            Answer.Field("Proxy-Status", "pinhole"),
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
