import PinholeFilter
import PinholeSession

/// A one-screen reference of the filter language.
enum FilterReference {
    /// Returns the lines of the reference.
    ///
    /// - Parameter saved: The saved filters, which are listed as well.
    /// - Returns: The lines, as they are printed.
    static func lines(_ saved: SavedFilters) -> [String] {
        let width = (saved.entries.map { TextLayout.columns(of: $0.name) }.max() ?? 0) + 1
        let calls = saved.entries.map { entry in
            "            " + TextLayout.fit("@\(entry.name)", width) + "  " + Plain.printable(entry.text)
        }
        return [
            "numbers     == != < <= > >=",
            "  " + names(NumberField.all.map(\.name)),
            "            status == 4xx, size > 1MB, duration > 1.5s, time >= 2026-01-31T12:00:00Z",
            "texts       == != contains startswith endswith matches (an expression), ~ !~ (a glob; without * a part)",
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
            "a word by itself is an expression that is looked for in URLs; a number or a METHOD: a whole word, or the status or method",
            saved.entries.isEmpty
                ? "@NAME is a filter that config.json has under filters: there is none"
                : "saved in config.json",
        ] + calls
    }

    /// The lines that explain every field and flag.
    static var explanations: [String] {
        let texts = TextField.listed.map { field in
            ReferenceText.Entry(name: field.name, meaning: field.meaning)
        }
        return ["numbers"]
            + ReferenceText.lines(
                NumberField.all.map { ReferenceText.Entry(name: $0.name, meaning: $0.meaning) }
            ) + ["texts"] + ReferenceText.lines(texts) + ["flags"]
            + ReferenceText.lines(
                FilterFlag.allCases.map { ReferenceText.Entry(name: $0.rawValue, meaning: $0.meaning) }
            )
    }

    private static func names(_ names: [String]) -> String { "          " + names.joined(separator: " ") }
}
