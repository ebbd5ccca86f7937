import CZlib

/// The files of a zip archive (PKWARE APPNOTE 6.3), read from memory and within bounds.
///
/// The names of entries are texts to show. Nothing here uses them as paths.
package struct ZipArchive: Sendable {
    /// A file in an archive.
    package struct Entry: Sendable {
        /// The name as the archive has it; bytes that are no UTF-8 are replaced.
        package let name: String
        /// The number of bytes after decompression, as the archive says it.
        package let size: Int
        fileprivate let isEncrypted: Bool
        fileprivate let method: Int
        fileprivate let checksum: UInt32
        fileprivate let compressedSize: Int
        /// The place of the local header.
        fileprivate let offset: Int
    }

    /// The reason why an archive, or one of its files, cannot be read.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        /// The bytes are no zip archive, or were cut off.
        case malformed
        /// The archive has more entries than the bound.
        case tooMany(limit: Int)
        /// A file is longer than the bound after decompression.
        case tooLong(limit: Int)
        /// A file is encrypted.
        case encrypted
        /// A file was compressed by a method that is not known.
        case method(Int)

        /// The reason in one sentence, without a full stop.
        package var description: String {
            switch self {
            case .malformed: "the archive is not valid zip, or is cut off"
            case .tooMany(let limit): "the archive has more than \(limit) files"
            case .tooLong(let limit): "the file is longer than \(limit) bytes"
            case .encrypted: "the file is encrypted"
            case .method(let number): "the compression method \(number) is not known"
            }
        }
    }

    /// The files, in the order of the archive; folders are left out.
    package let entries: [Entry]
    private let bytes: [UInt8]

    /// The largest number of entries.
    package static let mostEntries = 20_000

    /// Reads the directory of an archive.
    ///
    /// - Throws: ``Failure``.
    package init(_ bytes: [UInt8]) throws(Failure) {
        self.bytes = bytes
        let end = try Self.end(of: bytes)
        let count = try Self.number(bytes, end + 10, 2)
        guard count <= Self.mostEntries else { throw .tooMany(limit: Self.mostEntries) }
        var place = try Self.number(bytes, end + 16, 4)
        var entries: [Entry] = []
        for _ in 0..<count {
            guard try Self.number(bytes, place, 4) == 0x0201_4b50 else { throw .malformed }
            let nameLength = try Self.number(bytes, place + 28, 2)
            let name = try Self.slice(bytes, place + 46, nameLength)
            let entry = Entry(
                name: String(decoding: name, as: UTF8.self),
                size: try Self.number(bytes, place + 24, 4),
                isEncrypted: try Self.number(bytes, place + 8, 2) & 1 == 1,
                method: try Self.number(bytes, place + 10, 2),
                checksum: UInt32(truncatingIfNeeded: try Self.number(bytes, place + 16, 4)),
                compressedSize: try Self.number(bytes, place + 20, 4),
                offset: try Self.number(bytes, place + 42, 4)
            )
            if !entry.name.hasSuffix("/") { entries.append(entry) }
            let extraLength = try Self.number(bytes, place + 30, 2)
            let commentLength = try Self.number(bytes, place + 32, 2)
            place += 46 + nameLength + extraLength + commentLength
        }
        self.entries = entries
    }

    /// Returns the content of a file.
    ///
    /// - Parameters:
    ///   - entry: The file.
    ///   - limit: The largest number of bytes after decompression.
    /// - Returns: The bytes, whose checksum is right.
    /// - Throws: ``Failure``.
    package func content(of entry: Entry, limit: Int) throws(Failure) -> [UInt8] {
        guard !entry.isEncrypted else { throw .encrypted }
        guard entry.size <= limit else { throw .tooLong(limit: limit) }
        guard try Self.number(bytes, entry.offset, 4) == 0x0403_4b50 else { throw .malformed }
        // The local header has a name and extra fields of its own lengths.
        let start =
            entry.offset + 30 + (try Self.number(bytes, entry.offset + 26, 2))
            + (try Self.number(bytes, entry.offset + 28, 2))
        let packed = try Self.slice(bytes, start, entry.compressedSize)
        let content: [UInt8]
        switch entry.method {
        case 0: content = Array(packed)
        case 8:
            do throws(ContentDecoder.Failure) {
                content = try ContentDecoder.inflate(Array(packed), limit: limit)
            } catch .tooLong {
                throw .tooLong(limit: limit)
            } catch {
                throw .malformed
            }
        default: throw .method(entry.method)
        }
        guard content.count <= limit else { throw .tooLong(limit: limit) }
        let checksum = content.withUnsafeBufferPointer { buffer in
            crc32(0, buffer.baseAddress, UInt32(buffer.count))
        }
        guard content.isEmpty || UInt32(truncatingIfNeeded: checksum) == entry.checksum else {
            throw .malformed
        }
        return content
    }

    /// The place of the end of the directory: a comment of up to 65,535 bytes may follow it.
    private static func end(of bytes: [UInt8]) throws(Failure) -> Int {
        let length = 22
        guard bytes.count >= length else { throw .malformed }
        for place in stride(
            from: bytes.count - length,
            through: max(0, bytes.count - length - 65_535),
            by: -1
        )
        where bytes[place...].starts(with: [0x50, 0x4b, 5, 6]) {
            return place
        }
        throw .malformed
    }

    private static func slice(
        _ bytes: [UInt8],
        _ start: Int,
        _ count: Int
    ) throws(Failure) -> ArraySlice<UInt8> {
        guard start >= 0, count >= 0, start <= bytes.count - count else { throw .malformed }
        return bytes[start..<start + count]
    }

    private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) throws(Failure) -> Int {
        try slice(bytes, start, count).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
