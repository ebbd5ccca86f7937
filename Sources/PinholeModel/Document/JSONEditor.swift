/// Changes values in a JSON text, and keeps the rest of it byte for byte.
package struct JSONEditor: Sendable {
    /// A member of an object, or an element of an array.
    private struct Part {
        /// The range from the name to the end of the value.
        var whole: Range<Int>
        var value: Range<Int>
        /// The decoded name; `nil` for an element of an array.
        var name: String?
    }

    /// The JSON text.
    package private(set) var text: [UInt8]

    /// Creates an editor for a text.
    ///
    /// - Parameter text: The text in UTF-8.
    /// - Throws: ``DocumentFailure`` when the text is no JSON.
    package init(_ text: [UInt8]) throws(DocumentFailure) {
        // A well-formed text can be traversed without further checks.
        _ = try JSONValue(parsing: text)
        self.text = text
    }

    /// Sets the value at `pointer`.
    ///
    /// A missing member is added, and so is an element after the last one.
    ///
    /// - Parameters:
    ///   - pointer: The place of the value.
    ///   - value: The new value.
    /// - Returns: Whether the pointer leads to a possible place.
    package mutating func set(_ pointer: JSONPointer, to value: JSONValue) -> Bool {
        var written = JSONText()
        written.value(value)
        guard let last = pointer.tokens.last else {
            text = written.bytes
            return true
        }
        guard let container = find(pointer.tokens.dropLast()) else { return false }
        let parts = parts(of: container)
        if let index = place(of: last, in: parts, container) {
            text.replaceSubrange(parts[index].value, with: written.bytes)
            return true
        }
        var added = written.bytes
        switch byte(container.lowerBound) {
        case 0x7b:
            var name = JSONText()
            name.string(last)
            added = name.bytes + [0x3a] + added
        case 0x5b where last == "-" || JSONPointer.index(last) == parts.count: break
        default: return false
        }
        if let before = parts.last {
            text.insert(contentsOf: [0x2c] + added, at: before.whole.upperBound)
        } else {
            text.insert(contentsOf: added, at: container.lowerBound + 1)
        }
        return true
    }

    /// Removes the value at `pointer`.
    ///
    /// - Parameter pointer: The place of the value.
    /// - Returns: Whether there was a value.
    package mutating func remove(_ pointer: JSONPointer) -> Bool {
        guard let last = pointer.tokens.last, let container = find(pointer.tokens.dropLast()) else {
            return false
        }
        let parts = parts(of: container)
        guard let index = place(of: last, in: parts, container) else { return false }
        let part = parts[index]
        if index > 0 {
            text.removeSubrange(parts[index - 1].whole.upperBound..<part.whole.upperBound)
        } else if parts.count > 1 {
            text.removeSubrange(part.whole.lowerBound..<parts[1].whole.lowerBound)
        } else {
            text.removeSubrange(part.whole)
        }
        return true
    }

    /// Sets a member of nested objects.
    ///
    /// A new member gets a line of its own. Missing objects on the path are added in the same way.
    ///
    /// - Parameters:
    ///   - path: The names on the path to the member, from the outermost.
    ///   - value: The new value, as JSON.
    /// - Throws: ``DocumentFailure`` if a value on the path is not an object.
    package mutating func set(_ path: [String], to value: String) throws(DocumentFailure) {
        var place = root
        for (depth, name) in path.enumerated() {
            guard byte(place.lowerBound) == 0x7b else {
                let found = try JSONValue(parsing: Array(text[place])).summary
                throw DocumentFailure(path: "", expected: "an object {…}", found: found)
            }
            let parts = parts(of: place)
            if let part = parts.first(where: { $0.name == name }) {
                place = part.value
                continue
            }
            let end = parts.last?.whole.upperBound ?? place.lowerBound + 1
            let hasBreak = text[end..<place.upperBound].contains(0x0a)
            let member = Self.member(path[depth...], value, at: depth + 1)
            let added = (parts.isEmpty ? "" : ",") + member + (hasBreak ? "" : "\n\(Self.indent(depth))")
            return text.insert(contentsOf: added.utf8, at: end)
        }
        text.replaceSubrange(place, with: value.utf8)
    }

    /// Returns the line of a member, whose value is an object if the path goes on.
    private static func member(_ path: ArraySlice<String>, _ value: String, at depth: Int) -> String {
        guard let name = path.first else { return value }
        let inner = path.dropFirst()
        let content = member(inner, value, at: depth + 1)
        let whole = inner.isEmpty ? content : "{\(content)\n\(indent(depth))}"
        return "\n\(indent(depth))\"\(name)\": \(whole)"
    }

    private static func indent(_ depth: Int) -> String { String(repeating: "  ", count: depth) }

    /// The texts of the elements of a list, as they are written; empty if the text is no list.
    package var elements: [String] {
        byte(root.lowerBound) == 0x5b
            ? parts(of: root).map { String(decoding: text[$0.value], as: UTF8.self) } : []
    }

    // MARK: Traversal

    /// The range of the whole value.
    private var root: Range<Int> {
        let start = skipSpace(text.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0)
        return start..<end(of: start)
    }

    /// The range of the value that `tokens` lead to; `nil` if there is none.
    private func find(_ tokens: ArraySlice<String>) -> Range<Int>? {
        var value = root
        for token in tokens {
            let parts = parts(of: value)
            guard let index = place(of: token, in: parts, value) else { return nil }
            value = parts[index].value
        }
        return value
    }

    private func place(of token: String, in parts: [Part], _ container: Range<Int>) -> Int? {
        if byte(container.lowerBound) == 0x7b { return parts.firstIndex { $0.name == token } }
        guard let index = JSONPointer.index(token), parts.indices.contains(index) else { return nil }
        return index
    }

    /// The parts of an object or array; empty for other values.
    private func parts(of container: Range<Int>) -> [Part] {
        let isObject = byte(container.lowerBound) == 0x7b
        guard isObject || byte(container.lowerBound) == 0x5b else { return [] }
        var parts: [Part] = []
        var position = skipSpace(container.lowerBound + 1)
        while position < container.upperBound - 1 {
            let start = position
            var name: String?
            if isObject {
                let quoted = start..<end(of: start)
                name = decoded(quoted)
                position = skipSpace(skipSpace(quoted.upperBound) + 1)
            }
            let value = position..<end(of: position)
            parts.append(Part(whole: start..<value.upperBound, value: value, name: name))
            position = skipSpace(skipSpace(value.upperBound) + 1)
        }
        return parts
    }

    private func decoded(_ quoted: Range<Int>) -> String? {
        guard case .string(let name)? = try? JSONValue(parsing: Array(text[quoted])) else { return nil }
        return name
    }

    private func byte(_ position: Int) -> UInt8? { position < text.count ? text[position] : nil }

    private func skipSpace(_ start: Int) -> Int {
        var position = start
        while let byte = byte(position), [0x20, 0x09, 0x0a, 0x0d].contains(byte) { position += 1 }
        return position
    }

    /// The end of the value that begins at `start`.
    private func end(of start: Int) -> Int {
        var position = start
        var depth = 0
        while let byte = byte(position) {
            switch byte {
            case 0x22:
                position = endOfString(position)
                if depth == 0 { return position }
                continue
            case 0x7b, 0x5b: depth += 1
            case 0x7d, 0x5d:
                // This bracket ends the container of an unquoted value.
                if depth == 0 { return position }
                depth -= 1
                if depth == 0 { return position + 1 }
            case 0x2c, 0x20, 0x09, 0x0a, 0x0d: if depth == 0 { return position }
            default: break
            }
            position += 1
        }
        return position
    }

    private func endOfString(_ start: Int) -> Int {
        var position = start + 1
        while let byte = byte(position), byte != 0x22 { position += byte == 0x5c ? 2 : 1 }
        return min(position + 1, text.count)
    }
}
