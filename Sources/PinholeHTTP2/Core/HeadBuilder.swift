import PinholeModel

/// Collects the fields of a head while they are decoded.
///
/// Its memory is used for all heads in turn. So a head costs only the two allocations of its ``HeaderFields``, each of
/// the right size.
struct HeadBuilder {
    /// The limit that a head exceeds.
    enum Excess: Equatable {
        /// More bytes than the limit.
        case bytes
        /// More fields than the limit.
        case fields
    }

    /// The end of a field line, and the end of the name in it.
    private struct Mark {
        let nameEnd: Int
        let end: Int
        let isNeverIndexed: Bool
    }

    private var bytes: [UInt8] = []
    private var marks: [Mark] = []
    /// The size of the head so far: names, values and 32 bytes for each field (RFC 9113 §6.5.2).
    private(set) var size = 0
    private(set) var excess: Excess?

    /// The number of bytes that a field counts in addition to its name and value.
    private static let fieldOverhead = 32
    /// The size of the memory that is kept from one head to the next; most heads fit.
    private static let keptBytes = 8 << 10

    /// Starts a new head.
    mutating func begin() {
        bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptBytes)
        marks.removeAll(keepingCapacity: marks.capacity <= Self.keptBytes / Self.fieldOverhead)
        size = 0
        excess = nil
    }

    /// Adds a field, unless the head exceeds a limit.
    mutating func append(
        name: UnsafeBufferPointer<UInt8>,
        value: UnsafeBufferPointer<UInt8>,
        isNeverIndexed: Bool,
        maximumSize: Int,
        maximumCount: Int
    ) {
        guard excess == nil else { return }
        size += name.count + value.count + Self.fieldOverhead
        guard size <= maximumSize, marks.count < maximumCount else {
            excess = size > maximumSize ? .bytes : .fields
            return cut()
        }
        let nameEnd = bytes.count + name.count
        bytes.append(addingCapacity: name.count + value.count + 4) { room in
            room.withUnsafeMutableBufferPointer { room, count in
                Self.writeLine(name, value, to: room)
                count = name.count + value.count + 4
            }
        }
        marks.append(Mark(nameEnd: nameEnd, end: bytes.count, isNeverIndexed: isNeverIndexed))
    }

    /// Drops all fields but the first ones, which fit in the memory that is kept.
    mutating func cut() {
        marks = Array(marks.prefix { $0.end <= Self.keptBytes })
        bytes = Array(bytes.prefix(marks.last?.end ?? 0))
    }

    /// Returns the fields in memory of their own.
    func fields() -> HeaderFields {
        var own: [UInt8] = []
        own.reserveCapacity(bytes.count)
        own.append(contentsOf: bytes)
        var fields = HeaderFields(sharing: own, lineCapacity: marks.count)
        var start = 0
        for mark in marks {
            fields.addLine(
                start..<mark.end,
                nameEnd: mark.nameEnd,
                value: mark.nameEnd + 2..<mark.end - 2,
                isNeverIndexed: mark.isNeverIndexed
            )
            start = mark.end
        }
        return fields
    }

    /// Writes `name: value CRLF` into memory that is large enough.
    private static func writeLine(
        _ name: UnsafeBufferPointer<UInt8>,
        _ value: UnsafeBufferPointer<UInt8>,
        to room: UnsafeMutableBufferPointer<UInt8>
    ) {
        guard var place = room.baseAddress else { return }
        if let start = name.baseAddress { place.initialize(from: start, count: name.count) }
        place += name.count
        place[0] = 0x3a
        place[1] = 0x20
        place += 2
        if let start = value.baseAddress { place.initialize(from: start, count: value.count) }
        place += value.count
        place[0] = 0x0d
        place[1] = 0x0a
    }
}
