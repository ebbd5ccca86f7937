import Glibc
import PinholeModel

extension FieldOrder.Part {
    /// Returns this part of a text; `nil` if the text does not have it.
    func part(of text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        switch self {
        case .whole: text
        case .host: Self.host(in: text)
        case .mediaType: Self.mediaType(in: text)
        }
    }

    private static func host(in authority: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard authority.first == UInt8(ascii: "[") else {
            return UnsafeRawBufferPointer(rebasing: authority.prefix { $0 != UInt8(ascii: ":") })
        }
        return UnsafeRawBufferPointer(rebasing: authority.dropFirst().prefix { $0 != UInt8(ascii: "]") })
    }

    /// The number of bytes of a head that lists search for the content type.
    private static let longestHead = 16 << 10
    private static let name = Array("content-type:".utf8)

    private static func mediaType(in head: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        var rest = UnsafeRawBufferPointer(rebasing: head.prefix(longestHead))
        while let start = rest.baseAddress, !rest.isEmpty {
            let length = memchr(start, 0x0a, rest.count).map { UnsafeRawPointer($0) - start } ?? rest.count
            let line = UnsafeRawBufferPointer(start: start, count: length)
            if isContentType(line) {
                var value = line.dropFirst(name.count).prefix { $0 != UInt8(ascii: ";") }
                while let first = value.first, isBlank(first) { value.removeFirst() }
                while let last = value.last, isBlank(last) { value.removeLast() }
                return value.isEmpty ? nil : UnsafeRawBufferPointer(rebasing: value)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(length + 1))
        }
        return nil
    }

    private static func isContentType(_ line: UnsafeRawBufferPointer) -> Bool {
        guard line.count > name.count, line[name.count - 1] == UInt8(ascii: ":") else { return false }
        return zip(line, name).allSatisfy { $0 | 0x20 == $1 | 0x20 }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0d }
}
