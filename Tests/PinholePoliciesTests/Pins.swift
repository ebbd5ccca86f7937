/// Pins for documents: right in form, of no key.
enum Pins {
    static let first = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    static let second = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="
    static let short = "AQEBAQEBAQEBAQEBAQEBAQEBAQE="
    static let hexadecimal = String(repeating: "ab", count: 32)
}
