import PinholeFilter

/// What filters can ask, on one screen.
enum FilterReference {
    /// The lines.
    static var lines: [String] {
        [
            "numbers     == != < <= > >=",
            "  " + names(NumberField.allCases.map(\.rawValue)),
            "            status == 4xx, size > 1MB, duration > 1.5s, time >= 2026-01-31T12:00:00Z",
            "texts       == != contains startswith endswith matches (an expression), ~ !~ (a glob)",
            "  "
                + names(
                    TextField.all.map(\.name).filter {
                        !$0.hasPrefix("request.") && !$0.hasPrefix("response.")
                    }
                ),
            "            header[NAME]; request. or response. before header, headers, type, body",
            "flags",
            "  " + names(FilterFlag.allCases.map(\.rawValue)),
            "mitmproxy   ~" + Filter.mitmproxyOperators.joined(separator: " ~"),
            "together    & | ! ( ), and, or, not; side by side is “and” and binds least",
            "a word by itself is an expression that is looked for in URLs",
        ]
    }

    private static func names(_ names: [String]) -> String { "          " + names.joined(separator: " ") }
}
