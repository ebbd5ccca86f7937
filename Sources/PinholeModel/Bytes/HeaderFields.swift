/// The field lines of a message (RFC 9110 §5), in order, with duplicates, byte for byte as received.
///
/// The lines share one array, and a field is a range of it. So a head of any size costs two allocations, and the
/// received bytes can be written again unchanged. The array may hold more than the lines: a parser shares the array of
/// the whole head.
public struct HeaderFields: Sendable {
    @usableFromInline var bytes: [UInt8] = []
    @usableFromInline var places = FieldLines()
    @inlinable var lines: [FieldLines.Line] { places.lines }

    /// Creates an empty list.
    public init() {}

    /// Splits a recorded section (`Name: value CRLF …`, without its empty line) into fields.
    ///
    /// Nothing is validated, and a line without a colon is skipped. As in the message that was sent on, a folded line
    /// continues the line before it (RFC 9112 §5.2), and white space before the colon is no part of a name.
    /// `PinholeWire` parses the messages of peers.
    public init(section: some Collection<UInt8>) {
        var rest = Array(section)[...]
        while !rest.isEmpty {
            var line = Self.line(from: &rest)
            while let first = rest.first, Self.isBlank(first) {
                let next = Self.line(from: &rest)
                let (start, more) = (Self.trimmed(line), Self.trimmed(next))
                line = (line[..<start.upperBound] + [0x20] + next[more] + [0x0d, 0x0a])[...]
            }
            // The name of a pseudo-field (RFC 9113 §8.3) begins with a colon.
            let first = line.first == 0x3a ? line.dropFirst().firstIndex(of: 0x3a) : nil
            guard let colon = first ?? line.firstIndex(of: 0x3a) else { continue }
            let nameEnd = line[..<colon].lastIndex { !Self.isBlank($0) }.map { $0 + 1 } ?? colon
            appendLine(line, nameEnd: nameEnd, value: Self.trimmed(line[(colon + 1)...]))
        }
    }

    private static func line(from rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let end = rest.firstIndex(of: 0x0a).map { $0 + 1 } ?? rest.endIndex
        defer { rest = rest[end...] }
        return rest[..<end]
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Creates an empty list over `bytes`; ``addLine(_:nameEnd:value:)`` then adds fields.
    ///
    /// - Parameters:
    ///   - bytes: The head, or the section, that holds the lines; shared, not copied.
    ///   - lineCapacity: The expected number of lines.
    @inlinable
    public init(sharing bytes: [UInt8], lineCapacity: Int) {
        self.bytes = bytes
        places.lines.reserveCapacity(lineCapacity)
    }

    /// Creates the fields at `places` in `bytes`, in which the places were found.
    @inlinable
    public init(_ places: FieldLines, of bytes: [UInt8]) {
        precondition(
            places.lines.last.map { Int($0.end) <= bytes.count } ?? true,
            "the lines lie in the array"
        )
        self.bytes = bytes
        self.places = places
    }

    /// Adds a line that is already in the array; all positions are offsets from its start.
    ///
    /// - Parameters:
    ///   - line: The whole line with its CRLF.
    ///   - nameEnd: The end of the name, which is the position of the colon.
    ///   - value: The value without the white space around it.
    ///   - isNeverIndexed: Whether the sender forbids keeping the value in a table of HPACK.
    ///   - isChecked: Whether the line is known to be a valid field of HTTP/1, so that a writer need not check it
    ///     again.
    @inlinable
    public mutating func addLine(
        _ line: Range<Int>,
        nameEnd: Int,
        value: Range<Int>,
        isNeverIndexed: Bool = false,
        isChecked: Bool = false
    ) {
        var names = places.names
        let added = FieldLines.Line(
            line,
            nameEnd: nameEnd,
            value: value,
            of: bytes.span,
            names: &names,
            isNeverIndexed: isNeverIndexed,
            isChecked: isChecked
        )
        places.names = names
        places.lines.append(added)
    }

    /// Whether there may be a field with this name, given in lower case.
    @inlinable
    func mayContain(_ name: String) -> Bool {
        guard let first = name.utf8.first else { return false }
        return places.names & FieldLines.bit(name.utf8.count, first) != 0
    }

    /// Appends `name: value` as a new line.
    public mutating func append(_ name: String, _ value: String) { append(name, value.utf8) }

    /// Appends `name: value` as a new line, with the bytes of the value unchanged.
    public mutating func append(_ name: String, _ value: some Collection<UInt8>) {
        let start = bytes.count
        bytes.append(contentsOf: name.utf8)
        let nameEnd = bytes.count
        bytes.append(0x3a)
        bytes.append(0x20)
        bytes.append(contentsOf: value)
        bytes.append(0x0d)
        bytes.append(0x0a)
        addLine(start..<bytes.count, nameEnd: nameEnd, value: nameEnd + 2..<bytes.count - 2)
    }

    /// Appends a line as it was received; the ends of its parts are indices of `line`.
    ///
    /// - Parameters:
    ///   - line: The whole line with its CRLF.
    ///   - nameEnd: The end of the name, which is the position of the colon.
    ///   - value: The value without the white space around it.
    public mutating func appendLine(_ line: ArraySlice<UInt8>, nameEnd: Int, value: Range<Int>) {
        let shift = bytes.count - line.startIndex
        bytes.append(contentsOf: line)
        addLine(
            bytes.count - line.count..<bytes.count,
            nameEnd: nameEnd + shift,
            value: value.lowerBound + shift..<value.upperBound + shift
        )
    }

    /// Appends the field at `index` of another list, with its flags.
    public mutating func appendField(of other: HeaderFields, at index: Int) {
        let line = other.lines[index]
        let shift = bytes.count - Int(line.start)
        bytes.append(contentsOf: other.line(at: index))
        addLine(
            Int(line.start) + shift..<Int(line.end) + shift,
            nameEnd: Int(line.nameEnd) + shift,
            value: Int(line.valueStart) + shift..<Int(line.valueEnd) + shift,
            isNeverIndexed: line.isNeverIndexed,
            isChecked: line.isChecked
        )
    }

    /// Makes room for a section of `byteCount` bytes.
    public mutating func reserveCapacity(_ byteCount: Int) {
        bytes.reserveCapacity(byteCount)
        places.lines.reserveCapacity(16)
    }

    /// Replaces the value of each field with this name, given in lower case; the fields keep their positions.
    public mutating func replace(_ name: String, by value: String) {
        for index in indices where isNamed(name, at: index) {
            append(String(decoding: self.name(at: index), as: UTF8.self), value)
            places.lines[index] = places.lines.removeLast()
        }
    }

    /// Removes every field that has one of `names`, given in lower case.
    public mutating func removeAll(named names: String...) {
        places.lines.removeAll { line in
            names.contains { Self.name(bytes[Int(line.start)..<Int(line.nameEnd)], is: $0) }
        }
    }

    /// Removes the fields at the given positions.
    public mutating func remove(at positions: [Int]) {
        for position in positions.sorted().reversed() {
            places.lines.remove(at: position)
        }
    }

    /// The number of fields.
    @inlinable
    public var count: Int { lines.count }

    /// Whether there is no field.
    @inlinable
    public var isEmpty: Bool { lines.isEmpty }

    /// The positions of the fields.
    @inlinable
    public var indices: Range<Int> { lines.indices }

    /// The size in bytes of the array, which holds the lines and possibly more.
    public var byteCount: Int { bytes.count }

    /// The array, which holds the lines and possibly more.
    @inlinable
    public var storage: Span<UInt8> {
        @_lifetime(borrow self) get { bytes.span }
    }

    /// Returns the range of the line of the field at `index` in the array, including its CRLF.
    @inlinable
    @inline(__always)
    public func lineRange(at index: Int) -> Range<Int> {
        Int(lines[index].start)..<Int(lines[index].end)
    }

    /// Returns the range of the value of the field at `index` in the array.
    @inlinable
    public func valueRange(at index: Int) -> Range<Int> {
        Int(lines[index].valueStart)..<Int(lines[index].valueEnd)
    }

    /// Returns the length of the name of the field at `index`.
    @inlinable
    public func nameLength(at index: Int) -> Int {
        Int(lines[index].nameEnd - lines[index].start)
    }

    /// Returns the part that the field at `index` plays for a proxy.
    @inlinable
    @inline(__always)
    public func role(at index: Int) -> FieldRole { lines[index].role }

    /// Returns the bytes at `range` of the array; neighbouring lines are one piece.
    @inlinable
    public func slice(_ range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }

    /// Returns the name of the field at `index`, as received.
    public func name(at index: Int) -> ArraySlice<UInt8> {
        bytes[Int(lines[index].start)..<Int(lines[index].nameEnd)]
    }

    /// Whether the field at `index` is a pseudo-field of HTTP/2, such as `:method` (RFC 9113 §8.3).
    public func isPseudo(at index: Int) -> Bool {
        let line = lines[index]
        return line.nameEnd > line.start && bytes[Int(line.start)] == 0x3a
    }

    /// Returns the value of the field at `index`, without the white space around it.
    @inlinable
    public func value(at index: Int) -> ArraySlice<UInt8> {
        bytes[Int(lines[index].valueStart)..<Int(lines[index].valueEnd)]
    }

    /// Returns the whole line of the field at `index`, its CRLF included.
    @inlinable
    public func line(at index: Int) -> ArraySlice<UInt8> {
        bytes[Int(lines[index].start)..<Int(lines[index].end)]
    }

    /// Whether the sender of the field at `index` forbids keeping its value in a table of HPACK (RFC 7541 §6.2.3).
    public func isNeverIndexed(at index: Int) -> Bool { lines[index].isNeverIndexed }

    /// Whether the line at `index` was found valid for HTTP/1 when it arrived, and has not changed since.
    public func isChecked(at index: Int) -> Bool { lines[index].isChecked }

    /// Whether the field at `index` has this name, given in lower case.
    @inlinable
    public func isNamed(_ name: String, at index: Int) -> Bool {
        // Most fields already differ in length, which is compared without a call.
        nameLength(at: index) == name.utf8.count && isSpelled(name, at: index)
    }

    /// Whether the field at `index`, whose name is as long as `name`, has this name.
    @usableFromInline
    func isSpelled(_ name: String, at index: Int) -> Bool {
        // Spans are used, because a slice would retain the array, and the text would be decoded byte by byte.
        let span = bytes.span
        let expected = name.utf8.span
        let start = Int(lines[index].start)
        for position in expected.indices {
            var byte = span[start + position]
            if byte >= 0x41, byte <= 0x5a { byte |= 0x20 }
            guard byte == expected[position] else { return false }
        }
        return true
    }

    /// Whether there is a field with this name, given in lower case.
    @inlinable
    public func contains(_ name: String) -> Bool {
        mayContain(name) && indices.contains { isNamed(name, at: $0) }
    }

    /// Returns the value of the first field with this name (in lower case) as text.
    ///
    /// Bytes that are not UTF-8 become U+FFFD.
    public func first(_ name: String) -> String? {
        guard mayContain(name) else { return nil }
        return indices.first { isNamed(name, at: $0) }.map { String(decoding: value(at: $0), as: UTF8.self) }
    }

    /// Returns the values of all fields with this name (in lower case), in order.
    public func all(_ name: String) -> [String] {
        guard mayContain(name) else { return [] }
        return indices.filter { isNamed(name, at: $0) }.map { String(decoding: value(at: $0), as: UTF8.self) }
    }

    /// Whether a comma-separated list field with this name contains `token`; both are given in lower case.
    public func list(_ name: String, contains token: String) -> Bool {
        mayContain(name)
            && indices.contains { index in
                isNamed(name, at: index) && members(at: index).contains { Self.name($0, is: token) }
            }
    }

    /// Returns the members of the comma-separated list fields with this name, in lower case.
    public func list(_ name: String) -> [String] {
        indices.filter { isNamed(name, at: $0) }
            .flatMap { members(at: $0) }
            .map { String(decoding: $0, as: UTF8.self).lowercased() }
    }

    /// Returns the members of the comma-separated list in the field at `index`, without empty ones.
    public func members(at index: Int) -> ListMembers { ListMembers(value(at: index)) }

    /// All lines as they would be written, with names, values and white space unchanged.
    public var section: [UInt8] {
        var section: [UInt8] = []
        section.reserveCapacity(bytes.count)
        appendSection(to: &section)
        return section
    }

    /// Appends all lines as they would be written; lines that stand side by side in the array are copied as one piece.
    public func appendSection(to output: inout [UInt8]) {
        var index = 0
        while index < lines.count {
            let start = Int(lines[index].start)
            var end = start
            while index < lines.count, Int(lines[index].start) == end {
                end = Int(lines[index].end)
                index += 1
            }
            output.append(contentsOf: bytes[start..<end])
        }
    }

    /// All fields as names and values, for display and for text formats.
    public var pairs: [(name: String, value: String)] {
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

    fileprivate static func trimmed(_ line: ArraySlice<UInt8>) -> Range<Int> {
        let blank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0d || $0 == 0x0a }
        guard let first = line.firstIndex(where: { !blank($0) }),
            let last = line.lastIndex(where: { !blank($0) })
        else { return line.startIndex..<line.startIndex }
        return first..<last + 1
    }
}

/// The members of a comma-separated list (RFC 9110 §5.6.1), one after the other, without empty ones.
public struct ListMembers: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>

    /// Creates the members of the value of a field.
    public init(_ value: ArraySlice<UInt8>) { rest = value }

    /// Returns the next member, without the white space around it.
    public mutating func next() -> ArraySlice<UInt8>? {
        while !rest.isEmpty {
            let comma = rest.firstIndex(of: 0x2c) ?? rest.endIndex
            let member = rest[HeaderFields.trimmed(rest[..<comma])]
            rest = rest[comma...].dropFirst()
            if !member.isEmpty { return member }
        }
        return nil
    }
}

extension HeaderFields: Equatable {
    /// Whether both hold the same lines, byte for byte; the positions of the lines in the arrays do not matter.
    public static func == (left: HeaderFields, right: HeaderFields) -> Bool {
        left.count == right.count && left.indices.allSatisfy { left.line(at: $0) == right.line(at: $0) }
    }
}
