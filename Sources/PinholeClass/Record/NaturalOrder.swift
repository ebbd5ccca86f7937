/// The order in which people expect names.
///
/// Upper and lower case are equal, “s2” comes before “s10”, and “Ö” stands at “O”.
enum NaturalOrder {
    /// Whether `first` comes before `second`.
    static func precedes(_ first: String, _ second: String) -> Bool {
        let (left, right) = (parts(of: first), parts(of: second))
        for (one, other) in zip(left, right) where one != other { return one < other }
        return left.count == right.count ? first < second : left.count < right.count
    }

    /// A run of digits, by its value, or a run of other characters.
    private enum Part: Comparable {
        /// The digits without leading zeros: more digits are a larger number.
        case number(length: Int, digits: String)
        case text(String)
    }

    /// The letters with accents of Western Europe, and the letters at which they stand in a list.
    private static let plain = Dictionary(
        uniqueKeysWithValues: zip(
            "äáàâãåæçéèêëíìîïñöóòôõøœßúùûüýÿčćšśžźżłńęąřěůğış",
            "aaaaaaaceeeeiiiinooooooosuuuuyyccsszzzlneareugis"
        )
    )

    private static func parts(of text: String) -> [Part] {
        var parts: [Part] = []
        var rest = String(text.lowercased().map { plain[$0] ?? $0 })[...]
        while let first = rest.first {
            let isDigit = ("0"..."9").contains(first)
            let run = rest.prefix { ("0"..."9").contains($0) == isDigit }
            rest = rest.dropFirst(run.count)
            let digits = String(run.drop { $0 == "0" })
            parts.append(isDigit ? .number(length: digits.count, digits: digits) : .text(String(run)))
        }
        return parts
    }
}
