/// Reads the elements of DER one after the other (X.690 §10).
///
/// Only what certificates need is supported: tags of one byte, and lengths in their shortest form.
struct DERReader {
    private var rest: ArraySlice<UInt8>

    /// Reads `bytes`.
    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Whether no bytes are left.
    var isAtEnd: Bool { rest.isEmpty }

    /// Reads the next element.
    mutating func next() throws(DERFailure) -> DERElement {
        let start = rest
        guard let tag = rest.popFirst(), tag & 0x1f != 0x1f, let first = rest.popFirst() else {
            throw DERFailure("an element is missing or has a long tag")
        }
        var length = Int(first)
        if first & 0x80 != 0 {
            let digits = rest.prefix(Int(first & 0x7f))
            guard (1...4).contains(first & 0x7f), digits.count == Int(first & 0x7f), digits.first != 0 else {
                throw DERFailure("a length is not in DER")
            }
            rest = rest.dropFirst(digits.count)
            length = digits.reduce(0) { $0 << 8 | Int($1) }
            guard length >= 0x80 else { throw DERFailure("a length is not in its shortest form") }
        }
        guard rest.count >= length else { throw DERFailure("an element is longer than its container") }
        let content = rest.prefix(length)
        rest = rest.dropFirst(length)
        return DERElement(tag: tag, content: content, encoding: start.prefix(start.count - rest.count))
    }

    /// Reads the next element, which must have this tag.
    mutating func next(_ tag: UInt8) throws(DERFailure) -> DERElement {
        let element = try next()
        return try element.expecting(tag)
    }

    /// Reads the next element if it has this tag; otherwise reads nothing and returns `nil`.
    mutating func nextIfPresent(_ tag: UInt8) throws(DERFailure) -> DERElement? {
        rest.first == tag ? try next() : nil
    }

    /// Throws if bytes are left.
    func finish() throws(DERFailure) {
        guard rest.isEmpty else { throw DERFailure("there are bytes after the last element") }
    }
}

/// An element of DER.
struct DERElement {
    /// The universal tags that certificates use, with the bit of constructed forms.
    enum Tag {
        static let boolean: UInt8 = 0x01
        static let integer: UInt8 = 0x02
        static let bitString: UInt8 = 0x03
        static let octetString: UInt8 = 0x04
        static let objectIdentifier: UInt8 = 0x06
        static let sequence: UInt8 = 0x30
        static let set: UInt8 = 0x31
    }

    let tag: UInt8
    let content: ArraySlice<UInt8>
    /// The tag, the length and the contents.
    let encoding: ArraySlice<UInt8>

    /// Reads the elements inside.
    var reader: DERReader { DERReader(content) }

    /// Returns the elements inside.
    func elements() throws(DERFailure) -> [DERElement] {
        var reader = reader
        var elements: [DERElement] = []
        while !reader.isAtEnd { elements.append(try reader.next()) }
        return elements
    }

    /// Throws if the element has another tag; returns it otherwise.
    func expecting(_ expected: UInt8) throws(DERFailure) -> DERElement {
        guard tag == expected else {
            throw DERFailure("the tag of an element is \(tag) instead of \(expected)")
        }
        return self
    }

    /// Returns the contents as an object identifier, whatever the tag.
    func objectID() throws(DERFailure) -> ObjectID {
        guard let last = content.last, last & 0x80 == 0 else {
            throw DERFailure("an object identifier has no end")
        }
        var isFirst = true
        for byte in content {
            // X.690 §8.19.2: a number does not begin with zeros.
            if isFirst, byte == 0x80 { throw DERFailure("an object identifier is not in its shortest form") }
            isFirst = byte & 0x80 == 0
        }
        return ObjectID(content: content)
    }

    /// Returns the contents as a BOOLEAN.
    func boolean() throws(DERFailure) -> Bool {
        guard content.count == 1, let byte = content.first, byte == 0 || byte == 0xff else {
            throw DERFailure("a BOOLEAN is neither 00 nor FF")
        }
        return byte != 0
    }

    /// Returns the contents as an INTEGER that is not negative; a larger one than `Int32.max` counts as that.
    func count() throws(DERFailure) -> Int {
        guard let first = content.first, first & 0x80 == 0 else {
            throw DERFailure("an INTEGER is negative or empty")
        }
        if first == 0, let second = content.dropFirst().first, second & 0x80 == 0 {
            throw DERFailure("an INTEGER is not in its shortest form")
        }
        guard content.count <= 5 else { return Int(Int32.max) }
        return min(Int(Int32.max), content.reduce(0) { $0 << 8 | Int($1) })
    }
}

/// The reason why bytes are not in DER, or not of the expected type.
struct DERFailure: Error, Hashable {
    let detail: String

    init(_ detail: String) { self.detail = detail }
}
