import PinholeModel

/// Gathers the fields of a head while they are decoded.
///
/// Its memory is used for one head after the other, so that a head costs the two allocations of its
/// ``HeaderFields``, each of the right size.
struct HeadBuilder {
    /// Why a head is not kept.
    enum Excess: Equatable {
        /// More bytes than the limit.
        case bytes
        /// More fields than the limit.
        case fields
    }

    /// Where a line ends, and where its name does.
    private struct Mark {
        let nameEnd: Int
        let end: Int
        let isNeverIndexed: Bool
    }

    private var bytes: [UInt8] = []
    private var marks: [Mark] = []
    /// Names, values and 32 for each field (RFC 9113 §6.5.2).
    private(set) var size = 0
    private(set) var excess: Excess?

    /// What a field counts beyond its bytes.
    private static let fieldOverhead = 32
    /// The memory that is kept from one head to the next: most heads fit.
    private static let keptBytes = 8 << 10

    /// Begins a new head.
    mutating func begin() {
        bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptBytes)
        marks.removeAll(keepingCapacity: marks.capacity <= Self.keptBytes / Self.fieldOverhead)
        size = 0
        excess = nil
    }

    /// Adds a field unless the head is beyond a limit.
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

    /// Lets go of all but the first fields, those that memory is kept for.
    mutating func cut() {
        marks = Array(marks.prefix { $0.end <= Self.keptBytes })
        bytes = Array(bytes.prefix(marks.last?.end ?? 0))
    }

    /// The fields, in memory of their own.
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

    /// Writes `name: value CRLF`, for which there is room.
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
