/// The places of field lines in the bytes of a section, and what their names say about them.
///
/// The bytes are elsewhere: a parser finds the lines while the section still arrives, and hands them over with the bytes
/// (``HeaderFields/init(_:of:)``).
public struct FieldLines: Sendable {
    /// The place of a field line.
    public struct Line: Sendable {
        @usableFromInline let start: Int32
        @usableFromInline let nameEnd: Int32
        @usableFromInline let valueStart: Int32
        @usableFromInline let valueEnd: Int32
        @usableFromInline let end: Int32
        @usableFromInline let isNeverIndexed: Bool
        @usableFromInline let isChecked: Bool
        /// The part that the field plays for a proxy.
        public let role: FieldRole

        /// Creates a line of `bytes`, and finds its role; all positions are offsets from the start of `bytes`.
        ///
        /// - Parameters:
        ///   - line: The whole line with its CRLF.
        ///   - nameEnd: The end of the name, which is the position of the colon.
        ///   - value: The value without the white space around it.
        ///   - bytes: The bytes that hold the line.
        ///   - names: The set that the name is added to.
        ///   - isNeverIndexed: Whether the sender forbids keeping the value in a table of HPACK.
        ///   - isChecked: Whether the line is known to be a valid field of HTTP/1, so that a writer need not check it
        ///     again.
        @inlinable
        @inline(__always)
        public init(
            _ line: Range<Int>,
            nameEnd: Int,
            value: Range<Int>,
            of bytes: Span<UInt8>,
            names: inout UInt64,
            isNeverIndexed: Bool = false,
            isChecked: Bool = false
        ) {
            precondition(
                line.lowerBound >= 0 && line.upperBound <= bytes.count && bytes.count <= Int32.max,
                "a line lies in the bytes"
            )
            start = Int32(truncatingIfNeeded: line.lowerBound)
            self.nameEnd = Int32(truncatingIfNeeded: nameEnd)
            valueStart = Int32(truncatingIfNeeded: value.lowerBound)
            valueEnd = Int32(truncatingIfNeeded: value.upperBound)
            end = Int32(truncatingIfNeeded: line.upperBound)
            self.isNeverIndexed = isNeverIndexed
            self.isChecked = isChecked
            guard nameEnd > line.lowerBound else {
                role = .other
                return
            }
            let length = nameEnd &- line.lowerBound
            let bit = FieldLines.bit(length, bytes[line.lowerBound])
            names |= bit
            role =
                bit & FieldRole.bits == 0 ? .other : FieldRole(of: bytes, at: line.lowerBound, length: length)
        }
    }

    @usableFromInline var lines: [Line] = []
    /// A bit for each name that was ever added (a Bloom filter of one hash).
    ///
    /// Most look-ups are for absent names, and are answered without reading the lines.
    @usableFromInline var names: UInt64 = 0

    /// Creates an empty list.
    @inlinable
    public init() {}

    /// Whether there is no line.
    @inlinable
    public var isEmpty: Bool { lines.isEmpty }

    /// Lets `find` add lines while there is room; the room is made for several lines at a time.
    ///
    /// - Parameter find: Adds lines to the span, and their names to the set.
    /// - Returns: The result of `find`.
    @inlinable
    @inline(__always)
    public mutating func add<Result>(_ find: (inout OutputSpan<Line>, inout UInt64) -> Result) -> Result {
        if lines.capacity == lines.count { lines.reserveCapacity(max(16, lines.count * 2)) }
        var names = names
        defer { self.names = names }
        var result: Result?
        lines.append(addingCapacity: lines.capacity - lines.count) { room in result = find(&room, &names) }
        guard let result else { preconditionFailure("the closure was called") }
        return result
    }

    /// Returns the bit of a name in ``names``; the case of its letters does not matter.
    @inlinable
    @inline(__always)
    static func bit(_ length: Int, _ first: UInt8) -> UInt64 {
        1 &<< (UInt64(truncatingIfNeeded: length) &* 7 &+ UInt64(first | 0x20))
    }
}
