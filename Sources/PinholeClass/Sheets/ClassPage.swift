import PinholeModel

/// The frame of a printed page of the class.
enum ClassPage {
    /// Returns a page.
    ///
    /// - Parameters:
    ///   - title: The title as plain text.
    ///   - language: The language of the page.
    ///   - body: The content of the body as HTML.
    /// - Returns: The page, which forbids its browser to load anything.
    static func text(title: String, language: ClassLanguage, body: String) -> String {
        """
        <!doctype html>
        <html lang="\(language.rawValue)">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <title>\(MarkupText.escape(title))</title>
        <style>
        body { font: 12pt/1.45 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #111; }
        h1 { font-size: 20pt; margin: 0 0 .3rem; } h2 { font-size: 13pt; margin: 1.3rem 0 .3rem; }
        pre { background: #f2f2f2; padding: .4rem .6rem; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 9.5pt; }
        .answer { border-bottom: 1px solid #555; min-height: 1.6rem; margin: .4rem 0 1rem; font-weight: 600; overflow-wrap: anywhere; }
        .who { color: #444; } table { border-collapse: collapse; font-size: 10pt; } th, td { border: 1px solid #999; padding: .2rem .45rem; text-align: left; }
        tr.look td { background: #fff3d6; } section { break-after: page; } section:last-child { break-after: auto; }
        li { margin: .15rem 0; } .task { break-inside: avoid; }
        @media print { body { margin: 0; max-width: none; } }
        </style>
        </head>
        <body>
        \(body)
        </body>
        </html>

        """
    }
}
