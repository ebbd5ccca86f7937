/// JSON (RFC 8259) that is written as it goes.
///
/// Commas are set by themselves: before every value but the first of an object or array.
struct JSONText {
    /// What was written.
    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// Creates an empty text.
    init() {}

    /// Writes an object of what `members` writes.
    mutating func object(_ members: (inout JSONText) -> Void) {
        begin(0x7b)
        members(&self)
        end(0x7d)
    }

    /// Writes an array of what `elements` writes.
    mutating func array(_ elements: (inout JSONText) -> Void) {
        begin(0x5b)
        elements(&self)
        end(0x5d)
    }

    /// Opens an object (`{`) or array (`[`).
    mutating func begin(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    /// Closes an object (`}`) or array (`]`).
    mutating func end(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    /// Writes the name of the member whose value follows.
    mutating func name(_ name: String) {
        string(name)
        bytes.append(0x3a)
        needsComma = false
    }

    /// Writes a member that is a text, or null where there is none.
    mutating func member(_ name: String, _ text: String?) {
        self.name(name)
        if let text { string(text) } else { raw("null") }
    }

    /// Writes a member that is a number.
    mutating func member(_ name: String, _ number: some BinaryInteger) {
        self.name(name)
        raw(String(number))
    }

    /// Writes a text.
    mutating func string(_ text: String) {
        separate()
        bytes.append(0x22)
        for byte in text.utf8 {
            switch byte {
            case 0x22, 0x5c: bytes.append(contentsOf: [0x5c, byte])
            case 0x0a: bytes.append(contentsOf: [0x5c, 0x6e])
            // DEL is legal in JSON, but no terminal should meet it.
            case 0..<0x20, 0x7f:
                let digits = Array("0123456789abcdef".utf8)
                bytes.append(contentsOf: [
                    0x5c, 0x75, 0x30, 0x30, digits[Int(byte >> 4)], digits[Int(byte & 15)],
                ])
            default: bytes.append(byte)
            }
        }
        bytes.append(0x22)
    }

    private mutating func raw(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func separate() {
        if needsComma { bytes.append(0x2c) }
        needsComma = true
    }
}
