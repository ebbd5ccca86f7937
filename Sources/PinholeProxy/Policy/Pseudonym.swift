import PinholeModel

/// What a proxy calls itself in Via (RFC 9110 §7.6.3), by which it knows a request that it has sent on before.
package struct Pseudonym: Sendable, Hashable {
    /// The name: a token that no other proxy has.
    package let name: String

    /// Wraps a name.
    package init(_ name: String) { self.name = name }

    /// A name for one run of a proxy.
    package static func random() -> Pseudonym {
        Pseudonym("pinhole-" + String(UInt64.random(in: .min ... .max), radix: 36))
    }

    /// What a proxy adds to Via.
    var entry: String { "1.1 \(name)" }

    /// The value of Via for a request that names those of `fields`, and this one last.
    func via(behind fields: HeaderFields) -> String {
        (fields.all("via") + [entry]).joined(separator: ", ")
    }

    /// Whether a request with `fields` was sent on by this proxy before.
    func isNamed(in fields: HeaderFields) -> Bool {
        fields.all("via").contains { $0.contains(name) }
    }
}
