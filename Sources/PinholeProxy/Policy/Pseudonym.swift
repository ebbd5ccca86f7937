import PinholeModel

/// The name of a proxy in Via (RFC 9110 §7.6.3), by which it recognises requests that it has already sent on.
package struct Pseudonym: Sendable, Hashable {
    /// The name: a token that no other proxy uses.
    package let name: String

    /// Creates a pseudonym from a name.
    package init(_ name: String) { self.name = name }

    /// Returns a new random name for one run of a proxy.
    package static func random() -> Pseudonym {
        Pseudonym("pinhole-" + String(UInt64.random(in: .min ... .max), radix: 36))
    }

    /// The entry that the proxy adds to Via.
    var entry: String { "1.1 \(name)" }

    /// Returns the value of Via for a request with `fields`: their entries, and the proxy's own entry last.
    func via(behind fields: HeaderFields) -> String {
        (fields.all("via") + [entry]).joined(separator: ", ")
    }

    /// Whether this proxy has already sent on a request with `fields`.
    func isNamed(in fields: HeaderFields) -> Bool {
        fields.contains("via") && fields.all("via").contains { $0.contains(name) }
    }
}
