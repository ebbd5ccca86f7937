import PinholeModel

/// The HTML frame of the pages that the proxy itself serves.
enum HTML {
    static func page(title: String, body: String) -> String {
        """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
        <title>\(MarkupText.escape(title)) · Pinhole</title><style>
        body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem;color:#1d2433;background:#fff;overflow-wrap:anywhere}
        header{font-weight:600;color:#5b6478;border-bottom:1px solid #d9dee8;padding-bottom:.5rem}
        h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}h3{font-size:1rem;margin:1.2rem 0 .3rem}h3+pre{margin-top:0}
        code,pre{font:14px/1.5 ui-monospace,monospace;background:#f2f4f8;border-radius:4px;padding:.1rem .3rem}
        pre{padding:.7rem;white-space:pre-wrap}.remedy{color:#3b4356}a{color:#0b5cad}
        td:first-child{white-space:nowrap}
        table{border-collapse:collapse}td,th{text-align:left;padding:.3rem 1rem .3rem 0;vertical-align:top}
        @media(prefers-color-scheme:dark){body{color:#e4e8f0;background:#161a22}code,pre{background:#232936}
        header{color:#a7b0c2;border-color:#343c4c}.remedy{color:#b9c1d0}a{color:#7db8f5}}
        </style></head><body><header>Pinhole</header>\(body)</body></html>

        """
    }
}
