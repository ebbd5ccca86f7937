// The standard library keeps NFC in an SPI, which Foundation uses as well.
@_spi(_Unicode) import Swift

/// Converts internationalised names to ASCII, since all other targets accept only ASCII.
package enum InternationalName {
    /// The longest label of a name, in bytes (RFC 1035 §2.3.4).
    private static let longestLabel = 63
    /// Letters that IDNA keeps although case folding changes them (UTS #46 §7).
    private static let deviations: [Unicode.Scalar] = ["ß", "ς"]

    /// Replaces every label that is not ASCII by its A-label (RFC 5890 §2.3.2.1).
    ///
    /// Globs, ports and brackets stay unchanged, so patterns and authorities are accepted, too. A label
    /// without an A-label stays unchanged, and the parser of the name refuses it.
    package static func ascii(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        return narrow(text).split(separator: ".", omittingEmptySubsequences: false).map { part in
            let label = part.prefix { $0 != ":" }
            return aLabel(String(label)) + part.dropFirst(label.count)
        }.joined(separator: ".")
    }

    /// Replaces the full-width letters and full stops of East Asian keyboards by ASCII.
    private static func narrow(_ text: String) -> String {
        var narrow = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x3002, 0xff61: narrow.append(".")
            case 0xff01...0xff5e: narrow.append(Unicode.Scalar(UInt8(scalar.value - 0xfee0)))
            default: narrow.append(scalar)
            }
        }
        return String(narrow)
    }

    private static func aLabel(_ label: String) -> String {
        guard !label.utf8.allSatisfy({ $0 < 0x80 }), label.utf8.count <= 4 * longestLabel else {
            return label
        }
        let negation = label.hasPrefix("!") ? "!" : ""
        var mapped = String.UnicodeScalarView()
        mapped.append(contentsOf: label.dropFirst(negation.count).lowercased()._nfc)
        // The Kelvin sign is a K by case folding alone; a name with it is another name, which nobody has.
        guard isLabel(mapped), !mapped.allSatisfy(\.isASCII) else { return label }
        let ascii = Punycode.label(String(mapped))
        return ascii.utf8.count <= longestLabel ? negation + ascii : label
    }

    /// Whether a label in lower case and NFC has an A-label.
    ///
    /// UTS #46 would also replace some other characters, such as ligatures, but its tables are not available here.
    private static func isLabel(_ label: String.UnicodeScalarView) -> Bool {
        guard let first = label.first, !isMark(first), !String(label).hasPrefix("xn--") else { return false }
        return label.allSatisfy { scalar in
            switch scalar.value {
            case 0x2d, 0x30...0x39, 0x5f, 0x61...0x7a: return true
            case 0..<0x80: return false
            default: return isStable(scalar)
            }
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    /// Whether UTS #46 keeps a character unchanged.
    private static func isStable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .spaceSeparator, .lineSeparator,
            .paragraphSeparator:
            false
        default: !scalar.properties.changesWhenNFKCCaseFolded || deviations.contains(scalar)
        }
    }
}
