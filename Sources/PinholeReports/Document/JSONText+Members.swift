import PinholeModel

extension JSONText {
    /// The bytes that were written, as a text.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Writes a member that is an object.
    mutating func member(_ name: String, object members: (inout JSONText) -> Void) {
        self.name(name)
        object(members)
    }

    /// Writes a member that is a list, each element by `write`.
    mutating func member<Element>(
        _ name: String,
        list elements: some Sequence<Element>,
        _ write: (inout JSONText, Element) -> Void
    ) {
        self.name(name)
        array { text in
            for element in elements { write(&text, element) }
        }
    }

    /// Writes a member that is a list of texts.
    mutating func member(_ name: String, strings: [String]) {
        member(name, list: strings) { $0.string($1) }
    }
}
