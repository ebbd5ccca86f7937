import PinholeFilter

/// The tables of docs/FILTERS.md.
enum FilterPage {
    static var blocks: [ReferenceBlock] {
        let operators = MitmproxyTranslation.all
        return [
            block(
                "filter numbers",
                "numbers",
                NumberField.all.map { ($0.name, $0.example, $0.meaning) }
            ),
            block("filter texts", "texts", TextField.listed.map { ($0.name, $0.example, meaning(of: $0)) }),
            block("filter flags", "flags", FilterFlag.allCases.map { ($0.rawValue, $0.example, $0.meaning) }),
            ReferenceBlock(
                "FILTERS",
                "operators of mitmproxy",
                Markdown.table(
                    ["operator", "here"],
                    operators.compactMap { translation in
                        translation.filter.map { [Markdown.code(translation.original), Markdown.code($0)] }
                    }
                )
            ),
            ReferenceBlock(
                "FILTERS",
                "refused operators",
                Markdown.table(
                    ["refused operator", "why"],
                    operators.compactMap { translation in
                        translation.refusal.map { [Markdown.code(translation.original), $0] }
                    }
                )
            ),
        ]
    }

    private static func block(
        _ title: String,
        _ column: String,
        _ rows: [(name: String, example: String, meaning: String)]
    ) -> ReferenceBlock {
        ReferenceBlock(
            "FILTERS",
            title,
            Markdown.table(
                [column, "example", "meaning"],
                rows.map { row in
                    [
                        Markdown.code(row.name), Markdown.code(row.example),
                        Markdown.text(row.meaning, on: "FILTERS"),
                    ]
                }
            )
        )
    }

    private static func meaning(of field: TextField) -> String {
        guard field.hasParts else { return field.meaning }
        return field.meaning
            + "; `request.\(field.name)` and `response.\(field.name)` are those of one message"
    }
}

extension FilterFlag {
    /// A filter that uses the flag.
    fileprivate var example: String {
        switch self {
        case .http: "!http"
        case .grpc: "grpc & header[grpc-status] != 0"
        case .tlsFailed: "tls.failed & !pinned"
        case .tlsAnswered: "tls.failed & !tls.answered"
        case .spare: "spare | failed"
        case .marked: "marked & failed"
        case .sloppy: "sloppy & host ~ api"
        default: rawValue
        }
    }
}

extension TextField {
    /// Whether the name may begin with `request.` or `response.`.
    fileprivate var hasParts: Bool {
        switch self {
        case .headers, .header, .contentType, .body: true
        default: false
        }
    }
}
