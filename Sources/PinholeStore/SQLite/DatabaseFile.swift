import Glibc

/// Reads the pages of a SQLite database without SQLite (https://sqlite.org/fileformat2.html).
///
/// So every byte of the file is accounted for: a byte belongs to the content of a row, to the structure of a page, or to
/// free space. Only files without a journal, without pages of a pointer map and with UTF-8 are read.
package final class DatabaseFile {
    /// A value of a row.
    package enum Value: Sendable {
        case null
        case number(Int64)
        case real
        case text(ArraySlice<UInt8>)
        case blob(ArraySlice<UInt8>)
    }

    /// The reason why the file is not as expected.
    package struct Fault: Error, CustomStringConvertible {
        /// The reason, as a part of a sentence.
        package let description: String

        /// Creates a fault.
        package init(description: String) { self.description = description }
    }

    private let descriptor: Int32
    private let pageSize: Int
    private let pages: Int
    private var isUsed: [Bool]
    /// The largest payload of a cell, in bytes.
    private static let longest = 64 << 20

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - isWritable: Whether free space is to be erased.
    /// - Throws: ``Fault`` if it is no such database.
    package init(path: String, isWritable: Bool = false) throws(Fault) {
        descriptor = open(path, (isWritable ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw Fault(description: "the file cannot be opened") }
        var head = [UInt8](repeating: 0, count: 100)
        guard pread(descriptor, &head, 100, 0) == 100, head.starts(with: Array("SQLite format 3\0".utf8))
        else {
            close(descriptor)
            throw Fault(description: "the file is not a SQLite database")
        }
        let size = Int(head[16]) << 8 | Int(head[17])
        pageSize = size == 1 ? 65536 : size
        let length = Int(lseek(descriptor, 0, SEEK_END))
        let large = head[52..<56].contains { $0 != 0 }
        guard pageSize >= 512, length % pageSize == 0, head[20] == 0, !large,
            head[56..<60].elementsEqual([0, 0, 0, 1]),
            head[32..<40].allSatisfy({ $0 == 0 }), head[72..<92].allSatisfy({ $0 == 0 })
        else {
            close(descriptor)
            throw Fault(description: "the file has free pages, or is not compact")
        }
        pages = length / pageSize
        isUsed = [Bool](repeating: false, count: pages + 1)
    }

    deinit { close(descriptor) }

    private func page(_ number: Int) throws(Fault) -> [UInt8] {
        guard number >= 1, number <= pages, !isUsed[number] else {
            throw Fault(description: "a page belongs to two trees")
        }
        isUsed[number] = true
        var bytes = [UInt8](repeating: 0, count: pageSize)
        guard pread(descriptor, &bytes, pageSize, off_t((number - 1) * pageSize)) == pageSize else {
            throw Fault(description: "page \(number) cannot be read")
        }
        return bytes
    }

    /// Calls `use` with the values of each row of a tree, in the order of its pages.
    ///
    /// - Parameters:
    ///   - root: The first page of the tree.
    ///   - gap: Called with each piece of free space: the page, its number, and the place in it.
    ///   - use: Called with the key of a row, which is 0 in an index, and with its values.
    /// - Throws: ``Fault`` if the tree is damaged, or the error of `use`.
    package func walk(
        root: Int,
        gap: (_ page: [UInt8], _ number: Int, _ range: Range<Int>) throws -> Void,
        _ use: (_ key: Int64, _ values: [Value]) throws -> Void
    ) throws {
        var waiting = [root]
        while let number = waiting.popLast() {
            let bytes = try page(number)
            let start = number == 1 ? 100 : 0
            let kind = bytes[start]
            guard [2, 5, 10, 13].contains(kind) else {
                throw Fault(description: "page \(number) has no known kind")
            }
            guard Self.word(bytes, start + 1) == 0 else {
                throw Fault(description: "page \(number) has free blocks")
            }
            let isInner = kind == 2 || kind == 5
            let count = Self.word(bytes, start + 3)
            let head = start + (isInner ? 12 : 8)
            var used = [0..<head + 2 * count]
            guard head + 2 * count <= pageSize else { throw Fault(description: "page \(number) is damaged") }
            for cell in 0..<count {
                var place = Self.word(bytes, head + 2 * cell)
                let first = place
                if isInner {
                    waiting.append(try Self.long(bytes, place))
                    place += 4
                }
                if kind == 5 {
                    _ = try Self.varint(bytes, &place)
                } else {
                    let length = Int(clamping: try Self.varint(bytes, &place))
                    let key = kind == 13 ? try Self.varint(bytes, &place) : 0
                    let payload = try payload(bytes, &place, length, isLeaf: kind == 13, gap)
                    try use(key, try Self.values(of: payload))
                }
                // A cell has at least four bytes.
                used.append(first..<max(place, first + 4))
            }
            if isInner { waiting.append(try Self.long(bytes, start + 8)) }
            try gaps(bytes, number, used, gap)
        }
    }

    /// Whether every page of the file was read.
    package var isWhole: Bool { !isUsed.dropFirst().contains(false) }

    /// Erases a piece of free space.
    ///
    /// - Parameters:
    ///   - number: The number of the page.
    ///   - range: The place in the page.
    /// - Throws: ``Fault`` if the file cannot be written.
    package func erase(_ number: Int, _ range: Range<Int>) throws(Fault) {
        let zeroes = [UInt8](repeating: 0, count: range.count)
        guard
            pwrite(descriptor, zeroes, zeroes.count, off_t((number - 1) * pageSize + range.lowerBound))
                == zeroes.count
        else { throw Fault(description: "page \(number) cannot be written") }
    }

    private func gaps(
        _ bytes: [UInt8],
        _ number: Int,
        _ used: [Range<Int>],
        _ gap: ([UInt8], Int, Range<Int>) throws -> Void
    ) throws {
        var end = 0
        for range in used.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            guard range.upperBound <= pageSize else { throw Fault(description: "page \(number) is damaged") }
            if range.lowerBound > end { try gap(bytes, number, end..<range.lowerBound) }
            guard range.lowerBound >= end || range == used[0] else {
                throw Fault(description: "cells of page \(number) overlap")
            }
            end = max(end, range.upperBound)
        }
        if end < pageSize { try gap(bytes, number, end..<pageSize) }
    }

    /// Reads the content of a cell, and its overflow pages.
    private func payload(
        _ bytes: [UInt8],
        _ place: inout Int,
        _ length: Int,
        isLeaf: Bool,
        _ gap: ([UInt8], Int, Range<Int>) throws -> Void
    ) throws -> [UInt8] {
        guard (0...Self.longest).contains(length) else { throw Fault(description: "a row is too long") }
        let most = isLeaf ? pageSize - 35 : (pageSize - 12) * 64 / 255 - 23
        guard length > most else {
            guard place + length <= bytes.count else { throw Fault(description: "a row leaves its page") }
            defer { place += length }
            return Array(bytes[place..<(place + length)])
        }
        let least = (pageSize - 12) * 32 / 255 - 23
        let wanted = least + (length - least) % (pageSize - 4)
        let local = wanted <= most ? wanted : least
        guard place + local + 4 <= bytes.count else { throw Fault(description: "a row leaves its page") }
        var content = Array(bytes[place..<(place + local)])
        content.reserveCapacity(length)
        var next = try Self.long(bytes, place + local)
        place += local + 4
        while content.count < length {
            let number = next
            let more = try page(number)
            let count = min(length - content.count, pageSize - 4)
            content += more[4..<(4 + count)]
            if 4 + count < pageSize { try gap(more, number, 4 + count..<pageSize) }
            next = try Self.long(more, 0)
        }
        guard next == 0 else { throw Fault(description: "a row has more pages than it needs") }
        return content
    }

    /// Splits a record into its values (§2.1).
    private static func values(of record: [UInt8]) throws(Fault) -> [Value] {
        var place = 0
        let head = Int(clamping: try varint(record, &place))
        guard head <= record.count else { throw Fault(description: "a row is damaged") }
        var body = head
        var values: [Value] = []
        while place < head {
            let type = Int(clamping: try varint(record, &place))
            let length =
                switch type {
                case 12...: (type - 12) / 2
                case 1...4: type
                case 5: 6
                case 6, 7: 8
                default: 0
                }
            guard body + length <= record.count else { throw Fault(description: "a row is damaged") }
            let bytes = record[body..<(body + length)]
            body += length
            switch type {
            case 0: values.append(.null)
            case 1...6:
                let sign: Int64 = bytes.first.map { $0 >= 0x80 ? -1 : 0 } ?? 0
                values.append(.number(bytes.reduce(sign) { $0 << 8 | Int64($1) }))
            case 8, 9: values.append(.number(Int64(type - 8)))
            case 7: values.append(.real)
            case 12...: values.append(type % 2 == 0 ? .blob(bytes) : .text(bytes))
            default: throw Fault(description: "a row has a value of no known type")
            }
        }
        guard body == record.count else { throw Fault(description: "a row has bytes after its values") }
        return values
    }

    private static func word(_ bytes: [UInt8], _ place: Int) -> Int {
        Int(bytes[place]) << 8 | Int(bytes[place + 1])
    }

    private static func long(_ bytes: [UInt8], _ place: Int) throws(Fault) -> Int {
        guard place >= 0, place + 4 <= bytes.count else {
            throw Fault(description: "a number leaves its page")
        }
        return bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func varint(_ bytes: [UInt8], _ place: inout Int) throws(Fault) -> Int64 {
        var value: Int64 = 0
        for index in 0..<9 {
            guard place < bytes.count else { throw Fault(description: "a number leaves its page") }
            let byte = bytes[place]
            place += 1
            if index == 8 { return value << 8 | Int64(byte) }
            value = value << 7 | Int64(byte & 0x7f)
            if byte & 0x80 == 0 { break }
        }
        return value
    }
}
