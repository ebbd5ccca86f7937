import PinholeModel
import PinholeTrust

/// Property lists in Apple's binary format, `bplist00`.
///
/// The file consists of an eight-byte mark, objects, a table of their offsets, and a trailer of 32 bytes. The trailer
/// holds the sizes of an offset and of a reference, the number of objects, the root, and the start of the table.
/// Objects may be shared, so a small file can stand for a huge tree, and they may contain themselves. The bounds stop
/// both.
struct BinaryPropertyList {
    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let objectCount: Int
    private let tableOffset: Int
    private var budget = PropertyList.values
    private var contentBudget = PropertyList.content

    /// Reads a binary property list.
    static func read(_ bytes: [UInt8]) throws(PolicyFailure) -> PropertyListValue {
        var reader = try BinaryPropertyList(bytes)
        return try reader.value(try reader.root(), depth: 0)
    }

    private init(_ bytes: [UInt8]) throws(PolicyFailure) {
        guard bytes.starts(with: "bplist00".utf8), bytes.count >= 8 + 32 else {
            throw PolicyFailure("expected a binary property list (bplist00) of 40 bytes or more")
        }
        self.bytes = bytes
        let trailer = bytes.count - 32
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        objectCount = Self.number(bytes[(trailer + 8)..<(trailer + 16)]) ?? -1
        tableOffset = Self.number(bytes[(trailer + 24)..<(trailer + 32)]) ?? -1
        let room = trailer - tableOffset
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), tableOffset >= 8, room > 0,
            objectCount > 0, objectCount <= room / offsetSize
        else { throw PolicyFailure("the trailer of the binary property list is damaged") }
    }

    private func root() throws(PolicyFailure) -> Int {
        let trailer = bytes.count - 32
        guard let root = Self.number(bytes[(trailer + 16)..<(trailer + 24)]) else {
            throw Self.damaged("root")
        }
        return root
    }

    private mutating func value(_ reference: Int, depth: Int) throws(PolicyFailure) -> PropertyListValue {
        budget -= 1
        guard budget >= 0 else { throw Self.tooMany }
        guard depth < PropertyList.depth else {
            throw PolicyFailure("expected a property list no deeper than \(PropertyList.depth)")
        }
        let offset = try offset(of: reference)
        let marker = bytes[offset]
        let low = Int(marker & 0x0f)
        switch marker >> 4 {
        case 0x0 where marker == 0x08: return .boolean(false)
        case 0x0 where marker == 0x09: return .boolean(true)
        case 0x1: return .integer(try integer(at: offset))
        case 0x2: return .real(try real(at: offset + 1, size: 1 << low))
        case 0x3: return try date(at: offset + 1)
        case 0x4: return .data(Array(try charged(at: offset, unit: 1)))
        case 0x5: return .string(String(decoding: try charged(at: offset, unit: 1), as: UTF8.self))
        case 0x6: return .string(Self.utf16(try charged(at: offset, unit: 2)))
        case 0xa:
            var values: [PropertyListValue] = []
            for reference in try references(at: offset, perEntry: 1) {
                values.append(try value(reference, depth: depth + 1))
            }
            return .array(values)
        case 0xd: return try dictionary(at: offset, depth: depth)
        default: throw Self.damaged("object \(reference)")
        }
    }

    private mutating func dictionary(at offset: Int, depth: Int) throws(PolicyFailure) -> PropertyListValue {
        let references = try references(at: offset, perEntry: 2)
        let count = references.count / 2
        var members: [String: PropertyListValue] = [:]
        for (key, entry) in zip(references.prefix(count), references.dropFirst(count)) {
            guard case .string(let name) = try value(key, depth: depth + 1) else {
                throw PolicyFailure("expected strings as keys of the binary property list")
            }
            guard members.updateValue(try value(entry, depth: depth + 1), forKey: name) == nil else {
                throw PolicyFailure("expected each key once, found “\(name)” again; remove one")
            }
        }
        return .dictionary(members)
    }

    /// Finds the position at which an object begins.
    private func offset(of reference: Int) throws(PolicyFailure) -> Int {
        guard (0..<objectCount).contains(reference) else { throw Self.damaged("object \(reference)") }
        let start = tableOffset + reference * offsetSize
        guard let offset = Self.number(bytes[start..<(start + offsetSize)]),
            (8..<tableOffset).contains(offset)
        else { throw Self.damaged("object \(reference)") }
        return offset
    }

    /// Reads the count of an object, in the marker or as an integer after it, and the start of the content.
    private func count(at offset: Int) throws(PolicyFailure) -> (count: Int, start: Int) {
        let low = Int(bytes[offset] & 0x0f)
        guard low == 0x0f else { return (low, offset + 1) }
        guard offset + 1 < tableOffset, bytes[offset + 1] >> 4 == 0x1 else { throw Self.damaged("count") }
        let size = 1 << Int(bytes[offset + 1] & 0x0f)
        guard let count = Int(exactly: try integer(at: offset + 1)), count >= 0 else {
            throw Self.damaged("count")
        }
        return (count, offset + 2 + size)
    }

    private func content(at offset: Int, unit: Int) throws(PolicyFailure) -> ArraySlice<UInt8> {
        let (count, start) = try count(at: offset)
        guard start <= tableOffset, count <= (tableOffset - start) / unit else {
            throw Self.damaged("length")
        }
        return bytes[start..<(start + count * unit)]
    }

    /// The content of a string or of data, which is copied for each reference to it.
    private mutating func charged(at offset: Int, unit: Int) throws(PolicyFailure) -> ArraySlice<UInt8> {
        let content = try content(at: offset, unit: unit)
        contentBudget -= content.count
        guard contentBudget >= 0 else {
            throw PolicyFailure(
                "expected at most \(PropertyList.content) bytes of strings and data in the property list, shared"
                    + " ones counted each time"
            )
        }
        return content
    }

    private func references(at offset: Int, perEntry: Int) throws(PolicyFailure) -> [Int] {
        let content = try content(at: offset, unit: referenceSize * perEntry)
        guard content.count / referenceSize <= budget else { throw Self.tooMany }
        return stride(from: content.startIndex, to: content.endIndex, by: referenceSize).map { start in
            Self.number(content[start..<(start + referenceSize)]) ?? -1
        }
    }

    private func integer(at offset: Int) throws(PolicyFailure) -> Int64 {
        let size = 1 << Int(bytes[offset] & 0x0f)
        guard size <= 8, offset + 1 + size <= tableOffset else { throw Self.damaged("number") }
        // Numbers of eight bytes are signed, smaller ones are not.
        return Int64(bitPattern: bytes[(offset + 1)..<(offset + 1 + size)].reduce(0) { $0 << 8 | UInt64($1) })
    }

    private func real(at start: Int, size: Int) throws(PolicyFailure) -> Double {
        guard size == 4 || size == 8, start + size <= tableOffset else { throw Self.damaged("number") }
        let bits = bytes[start..<(start + size)].reduce(0) { $0 << 8 | UInt64($1) }
        return size == 8
            ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    }

    private func date(at start: Int) throws(PolicyFailure) -> PropertyListValue {
        // Seconds since 2001-01-01T00:00:00Z.
        let seconds = try real(at: start, size: 8) + 978_307_200
        guard let whole = Int64(exactly: seconds.rounded()), abs(whole) < 1 << 40 else {
            throw Self.damaged("date")
        }
        return .date(Timestamp(seconds: whole))
    }

    private static func utf16(_ content: ArraySlice<UInt8>) -> String {
        let units = stride(from: content.startIndex, to: content.endIndex, by: 2).map { index in
            UInt16(content[index]) << 8 | UInt16(content[index + 1])
        }
        return String(decoding: units, as: UTF16.self)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count <= 8 else { return nil }
        return Int(exactly: bytes.reduce(0) { $0 << 8 | UInt64($1) })
    }

    private static let tooMany = PolicyFailure(
        "expected at most \(PropertyList.values) values in the property list, shared ones counted"
    )

    private static func damaged(_ what: String) -> PolicyFailure {
        PolicyFailure(
            "the binary property list is damaged (\(what)); write it anew: plutil -convert xml1 FILE"
        )
    }
}
