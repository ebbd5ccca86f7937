package import PinholeModel
import PinholeRuntime

extension LabWorld {
    /// The name of the host.
    package var name: String { host.description }

    /// The first label of the host's name.
    package var firstLabel: String { name.split(separator: ".").first.map(String.init) ?? "" }

    /// Returns a name with the same end as the host's.
    ///
    /// - Parameters:
    ///   - beginning: The first label: `*`.
    ///   - count: The number of labels of the host's name that it replaces.
    /// - Returns: The name; `nil` if the host's name has fewer labels.
    package func name(_ beginning: String, insteadOf count: Int) -> Host? {
        let labels = name.split(separator: ".")
        guard count <= labels.count else { return nil }
        return .name(([beginning] + labels.dropFirst(count).map(String.init)).joined(separator: "."))
    }

    /// The names of a wildcard certificate that is good for the host.
    ///
    /// A wildcard directly below a top-level domain is not accepted, so a short host name is added to the wildcard.
    package var wildcardNames: [Host] {
        let wildcard = name.split(separator: ".").count > 2 ? name("*", insteadOf: 1) : nil
        return wildcard.map { [$0] } ?? [host, .name("*.\(name)")]
    }

    /// Returns an internationalised name below a host, which the lab's server answers for if a scenario needs it.
    static func internationalHost(below host: Host) -> Host {
        .name("\(Punycode.label("bücher")).\(host.description)")
    }

    /// An internationalised name below the host's.
    package var internationalHost: Host { Self.internationalHost(below: host) }

    /// A name that people take for the host's: one letter is of another script.
    package var lookalike: Host {
        var labels = name.split(separator: ".").map(String.init)
        for (place, label) in labels.enumerated() {
            guard let index = label.firstIndex(where: { Self.doubles[$0] != nil }),
                let double = Self.doubles[label[index]]
            else { continue }
            labels[place].replaceSubrange(index...index, with: [double])
            labels[place] = Punycode.label(labels[place])
            return .name(labels.joined(separator: "."))
        }
        // No letter has a lookalike, so the name gets another label in front. It looks different, but it is another
        // name, too.
        return internationalHost
    }

    /// Letters of ASCII, and Cyrillic ones that look the same.
    private static let doubles: [Character: Character] = [
        "a": "\u{430}", "c": "\u{441}", "d": "\u{501}", "e": "\u{435}", "h": "\u{4bb}", "i": "\u{456}",
        "j": "\u{458}", "l": "\u{4cf}", "o": "\u{43e}", "p": "\u{440}", "q": "\u{51b}", "s": "\u{455}",
        "w": "\u{51d}", "x": "\u{445}", "y": "\u{443}",
    ]
}
