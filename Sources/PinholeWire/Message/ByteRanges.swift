/// The parts of a representation that a Range field asks for (RFC 9110 §14).
package enum ByteRanges: Sendable, Equatable {
    /// The field is ignored, so that the whole representation is sent.
    case whole
    /// A single part.
    case part(Range<Int>)
    /// No part of the representation was asked for (416).
    case unsatisfiable

    /// The most ranges that are read; RFC 9110 §14.2 allows to ignore a field with many.
    private static let most = 100

    /// Reads a Range field.
    ///
    /// Parts that overlap or touch are one part (RFC 9110 §15.3.7.2). A field that leaves several parts is ignored, as
    /// §14.2 allows: `multipart/byteranges` would be a second form of answer for clients that all read the first one.
    /// A field of another unit, or one that cannot be read, is ignored too.
    ///
    /// - Parameters:
    ///   - values: The values of all Range fields of the request. More than one field is ignored.
    ///   - length: The length of the representation in bytes.
    package init(_ values: [String], length: Int) {
        self = .whole
        guard values.count == 1, let value = values.first, let equals = value.utf8.firstIndex(of: 0x3d),
            value[..<equals].lowercased() == "bytes"
        else { return }
        let specifiers = value[equals...].dropFirst().split(separator: ",").map { $0.trimmingBlanks() }
            .filter { !$0.isEmpty }
        guard !specifiers.isEmpty, specifiers.count <= Self.most else { return }
        var parts: [Range<Int>] = []
        for specifier in specifiers {
            guard let range = Self.range(specifier, length) else { return }
            if !range.isEmpty { parts.append(range) }
        }
        // A suffix of an empty representation is the whole of it, which no Content-Range can express.
        guard length > 0 || !specifiers.contains(where: { $0.first == "-" }) else { return }
        parts.sort { $0.lowerBound < $1.lowerBound }
        guard var first = parts.first else {
            self = .unsatisfiable
            return
        }
        for part in parts.dropFirst() {
            guard part.lowerBound <= first.upperBound else { return }
            first = first.lowerBound..<max(first.upperBound, part.upperBound)
        }
        self = .part(first)
    }

    /// Returns the bytes that a specifier such as `0-4`, `5-` or `-5` names.
    ///
    /// - Returns: The bytes, none if the specifier cannot be satisfied; `nil` if it cannot be read.
    private static func range(_ specifier: Substring, _ length: Int) -> Range<Int>? {
        let ends = specifier.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2, let start = ends.first, let end = ends.last else { return nil }
        if start.isEmpty { return number(end).map { length - min($0, length)..<length } }
        guard let first = number(start) else { return nil }
        guard !end.isEmpty else { return min(first, length)..<length }
        guard let last = number(end), first <= last else { return nil }
        return min(first, length)..<min(last, length - 1) + 1
    }

    /// Returns the number in decimal digits, the greatest one if it is larger; `nil` for anything else.
    private static func number(_ digits: Substring) -> Int? {
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(digits) ?? .max
    }
}

extension Substring {
    /// The text without spaces and tabs around it.
    fileprivate func trimmingBlanks() -> Substring {
        var rest = drop { $0 == " " || $0 == "\t" }
        while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
        return rest
    }
}
