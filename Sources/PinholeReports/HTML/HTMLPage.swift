import PinholeModel

/// The frame of a self-contained page.
enum HTMLPage {
    /// Returns a page.
    ///
    /// - Parameters:
    ///   - title: The title as plain text.
    ///   - body: The content of the body as HTML.
    /// - Returns: The page, which forbids its browser to load anything.
    static func text(title: String, body: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
        <title>\(MarkupText.escape(title))</title>
        <style>
        \(HTMLStyle.text)
        </style>
        </head>
        <body>
        \(body)
        </body>
        </html>

        """
    }
}
