/// A mark of one version of a representation (RFC 9110 §8.8.3).
package struct EntityTag: Sendable, Equatable {
    /// Whether equal tags promise only equal meaning, and not equal bytes.
    package let isWeak: Bool
    /// The opaque part with its quotation marks.
    package let opaque: [UInt8]

    /// Reads a tag that is the whole of `text`; `nil` if it is none.
    package init?(_ text: some StringProtocol) {
        var rest = Array(text.utf8)[...]
        guard let tag = EntityTag(taking: &rest), rest.isEmpty else { return nil }
        self = tag
    }

    /// Removes a tag from the start of `rest`; `nil` if there is none.
    private init?(taking rest: inout ArraySlice<UInt8>) {
        let mark = rest.prefix(2)
        isWeak = mark.elementsEqual("W/".utf8)
        let quoted = isWeak ? rest.dropFirst(2) : rest
        guard quoted.first == 0x22, let end = quoted.dropFirst().firstIndex(of: 0x22),
            quoted[..<end].allSatisfy({ $0 > 0x20 && $0 != 0x7f })
        else { return nil }
        opaque = Array(quoted[...end])
        rest = rest[(end + 1)...]
    }

    /// Whether both promise the same bytes (RFC 9110 §8.8.3.2).
    package func isStronglyEqual(to other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && opaque == other.opaque
    }

    /// A field that names versions: If-Match or If-None-Match.
    package enum Condition: Sendable, Equatable {
        /// Any version: `*`.
        case any
        /// Any of these versions.
        case oneOf([EntityTag])

        /// Reads the values of all field lines of the name; `nil` if there is none.
        ///
        /// The list ends where it cannot be read, so that the versions before that still count.
        package init?(_ values: [String]) {
            guard !values.isEmpty else { return nil }
            let whole = values.joined(separator: ",")
            guard
                whole.utf8.contains(where: { $0 != 0x2a && !Self.isSeparator($0) })
                    || !whole.utf8.contains(0x2a)
            else {
                self = .any
                return
            }
            var tags: [EntityTag] = []
            var rest = Array(whole.utf8)[...].drop(while: Self.isSeparator)
            while let tag = EntityTag(taking: &rest) {
                tags.append(tag)
                rest = rest.drop(while: Self.isSeparator)
            }
            self = .oneOf(tags)
        }

        private static func isSeparator(_ byte: UInt8) -> Bool {
            byte == 0x2c || byte == 0x20 || byte == 0x09
        }
    }
}
