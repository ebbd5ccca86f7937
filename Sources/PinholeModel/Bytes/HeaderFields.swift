/// The field lines of a message (RFC 9110 §5): ordered, duplicates kept, every byte as it came.
///
/// The lines share one array; a field is a range of it. So a head of any size costs two
/// allocations, and what was received can be written again byte for byte.
package struct HeaderFields: Sendable, Equatable {
    /// Where one field line lies in the array.
    private struct Line: Sendable, Equatable {
        var start: Int32
        var nameEnd: Int32
        var valueStart: Int32
        var valueEnd: Int32
        var end: Int32
    }

    private var bytes: [UInt8] = []
    private var lines: [Line] = []

    /// Creates an empty list.
    package init() {}

    /// Splits a recorded section (`Name: value CRLF …`, without the empty line that ends it) into
    /// fields.
    ///
    /// It judges nothing: a line without a colon is skipped. Parsing what a peer sends is the work of
    /// `PinholeWire`.
    ///
    /// - Parameter section: The field lines.
    package init(section: some Collection<UInt8>) {
        var rest = Array(section)[...]
        while !rest.isEmpty {
            let newline = rest.firstIndex(of: 0x0a) ?? rest.endIndex
            let next = min(newline + 1, rest.endIndex)
            let line = rest[..<next]
            rest = rest[next...]
            guard let colon = line.firstIndex(of: 0x3a) else { continue }
            appendLine(line, nameEnd: colon, value: Self.trimmed(line[(colon + 1)...]))
        }
    }

    /// Appends `name: value` as a new line.
    package mutating func append(_ name: String, _ value: String) {
        let start = Int32(bytes.count)
        bytes.append(contentsOf: name.utf8)
        let nameEnd = Int32(bytes.count)
        bytes.append(0x3a)
        bytes.append(0x20)
        let valueStart = Int32(bytes.count)
        bytes.append(contentsOf: value.utf8)
        let valueEnd = Int32(bytes.count)
        bytes.append(0x0d)
        bytes.append(0x0a)
        lines.append(
            Line(
                start: start,
                nameEnd: nameEnd,
                valueStart: valueStart,
                valueEnd: valueEnd,
                end: Int32(bytes.count)
            )
        )
    }

    /// Appends a line as it was received, the ends of its parts given as indices of `line`.
    ///
    /// - Parameters:
    ///   - line: The whole line with its CRLF.
    ///   - nameEnd: Where the name ends (the colon).
    ///   - value: The value without the white space around it.
    package mutating func appendLine(_ line: ArraySlice<UInt8>, nameEnd: Int, value: Range<Int>) {
        let shift = bytes.count - line.startIndex
        bytes.append(contentsOf: line)
        lines.append(
            Line(
                start: Int32(bytes.count - line.count),
                nameEnd: Int32(nameEnd + shift),
                valueStart: Int32(value.lowerBound + shift),
                valueEnd: Int32(value.upperBound + shift),
                end: Int32(bytes.count)
            )
        )
    }

    /// Makes room for a section of `byteCount` bytes.
    package mutating func reserveCapacity(_ byteCount: Int) {
        bytes.reserveCapacity(byteCount)
        lines.reserveCapacity(16)
    }

    /// Removes every field that is called one of `names`, given in lower case.
    package mutating func removeAll(named names: String...) {
        lines.removeAll { line in
            names.contains { Self.name(bytes[Int(line.start)..<Int(line.nameEnd)], is: $0) }
        }
    }

    /// Removes the fields at the given positions.
    package mutating func remove(at positions: [Int]) {
        for position in positions.sorted().reversed() {
            lines.remove(at: position)
        }
    }

    /// The number of fields.
    package var count: Int { lines.count }

    /// Whether there is no field.
    package var isEmpty: Bool { lines.isEmpty }

    /// The positions of the fields.
    package var indices: Range<Int> { lines.indices }

    /// The name of the field at `index`, as it came.
    package func name(at index: Int) -> ArraySlice<UInt8> {
        bytes[Int(lines[index].start)..<Int(lines[index].nameEnd)]
    }

    /// The value of the field at `index`, without the white space around it.
    package func value(at index: Int) -> ArraySlice<UInt8> {
        bytes[Int(lines[index].valueStart)..<Int(lines[index].valueEnd)]
    }

    /// The whole line of the field at `index`, its CRLF included.
    package func line(at index: Int) -> ArraySlice<UInt8> {
        bytes[Int(lines[index].start)..<Int(lines[index].end)]
    }

    /// Whether the field at `index` is called `name`, given in lower case.
    package func isNamed(_ name: String, at index: Int) -> Bool {
        Self.name(bytes[Int(lines[index].start)..<Int(lines[index].nameEnd)], is: name)
    }

    /// Whether there is a field called `name`, given in lower case.
    package func contains(_ name: String) -> Bool {
        indices.contains { isNamed(name, at: $0) }
    }

    /// The value of the first field called `name` (in lower case), as text; bytes that are no
    /// UTF-8 become U+FFFD.
    package func first(_ name: String) -> String? {
        indices.first { isNamed(name, at: $0) }.map { String(decoding: value(at: $0), as: UTF8.self) }
    }

    /// The values of all fields called `name` (in lower case), in order.
    package func all(_ name: String) -> [String] {
        indices.filter { isNamed(name, at: $0) }.map { String(decoding: value(at: $0), as: UTF8.self) }
    }

    /// Whether a comma-separated list field called `name` holds `token`; both in lower case.
    package func list(_ name: String, contains token: String) -> Bool {
        all(name).contains { value in
            value.split(separator: ",").contains { Self.trimmedText($0).lowercased() == token }
        }
    }

    /// The members of a comma-separated list field called `name`, in lower case.
    package func list(_ name: String) -> [String] {
        all(name).flatMap { $0.split(separator: ",").map { Self.trimmedText($0).lowercased() } }
    }

    /// Every line, as it would be written: names, values and white space as they came.
    package var section: [UInt8] {
        var section: [UInt8] = []
        section.reserveCapacity(bytes.count)
        for index in indices { section.append(contentsOf: line(at: index)) }
        return section
    }

    /// Every field as name and value, for people and for formats that want text.
    package var pairs: [(name: String, value: String)] {
        indices.map {
            (String(decoding: name(at: $0), as: UTF8.self), String(decoding: value(at: $0), as: UTF8.self))
        }
    }

    private static func name(_ bytes: ArraySlice<UInt8>, is name: String) -> Bool {
        let utf8 = name.utf8
        guard bytes.count == utf8.count else { return false }
        var index = bytes.startIndex
        for expected in utf8 {
            var byte = bytes[index]
            if byte >= 0x41, byte <= 0x5a { byte |= 0x20 }
            guard byte == expected else { return false }
            index += 1
        }
        return true
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> Range<Int> {
        let blank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0d || $0 == 0x0a }
        guard let first = line.firstIndex(where: { !blank($0) }),
            let last = line.lastIndex(where: { !blank($0) })
        else { return line.startIndex..<line.startIndex }
        return first..<last + 1
    }

    private static func trimmedText(_ text: Substring) -> Substring {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        var text = text.drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        return text
    }
}
