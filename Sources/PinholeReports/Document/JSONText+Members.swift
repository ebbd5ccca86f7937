import PinholeModel

extension JSONText {
    /// The bytes that were written, as a text.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Writes a member that is an object.
    mutating func member(_ name: String, _ members: (inout JSONText) -> Void) {
        self.name(name)
        object(members)
    }

    /// Writes a member that is a list of objects, the members of each by `write`.
    mutating func member<Element>(
        _ name: String,
        objects elements: some Sequence<Element>,
        _ write: (inout JSONText, Element) -> Void
    ) {
        self.name(name)
        array { text in
            for element in elements { text.object { write(&$0, element) } }
        }
    }

    /// Writes a member that is a list of texts.
    mutating func member(_ name: String, strings: [String]) {
        self.name(name)
        strings.write(to: &self)
    }
}
